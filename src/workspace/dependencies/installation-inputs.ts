/**
 * Collects everything that determines an installation: lockfile, configuration, patches, packages committed as
 * archives, and manifests without their scripts. The project's own code is not included.
 */
import { readdir, readFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { unlessDiskFails } from '../../formats/file-system/temporary-disk-errors.ts';
import { type JsonObject, tableAt } from '../../formats/schema/json-access.ts';
import { sha256 } from '../../formats/text/sha256.ts';
import { leaves } from './add-build-if-needed.ts';
import { manifestsBelow } from './node/package-json-files.ts';

export interface Input {
  /** Path relative to the folder in which packages are installed. */
  readonly path: string;
  readonly text: string;
  /** The file to copy, in which case `text` is its hash; null if there is none. */
  readonly from: string | null;
}

const BESIDE = /^(package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|\.npmrc|\.yarnrc)$/;
const KINDS = ['dependencies', 'devDependencies', 'optionalDependencies', 'overrides', 'resolutions'];

export async function inputsOf(folder: string): Promise<Input[]> {
  const manifests = await manifestsBelow(folder);
  const names = await readdir(folder);
  const texts = new Map<string, string>();
  for (const { path, json } of manifests) {
    const { scripts: _, ...rest } = json as JsonObject & { scripts?: unknown };
    texts.set(path, `${JSON.stringify(rest, null, 2)}\n`);
    // npm and yarn link a program only if its file exists.
    for (const bin of leaves(json['bin'])) {
      const program = posix.join(posix.dirname(path), bin);
      if (isInside(program) && !program.split('/').includes('node_modules')) texts.set(program, '');
    }
  }
  for (const name of names.filter(one => BESIDE.test(one)))
    texts.set(name, await readFile(join(folder, name), 'utf8'));
  const files = [...(await patchesIn(folder)), ...archivesIn(manifests)];
  const copied = await Promise.all(
    files.map(async path => {
      const bytes = await readFile(join(folder, path)).catch(unlessDiskFails(null));
      const text = bytes && sha256(bytes);
      return text === null ? [] : [{ path, text, from: join(folder, path) }];
    }),
  );
  const written = [...texts].map(([path, text]) => ({ path, text, from: null }));
  return [...written, ...copied.flat()].sort((a, b) => (a.path < b.path ? -1 : 1));
}

const isInside = (path: string): boolean => !path.startsWith('..') && !path.startsWith('/');

const patchesIn = async (folder: string): Promise<string[]> =>
  (await readdir(join(folder, 'patches'), { recursive: true }).catch(unlessDiskFails([] as string[])))
    .filter(name => name.endsWith('.patch'))
    .map(name => join('patches', name));

/** Returns the paths of the archives that manifests depend on, as in `file:vendor/thing.tgz`. */
const archivesIn = (manifests: readonly { readonly path: string; readonly json: JsonObject }[]): string[] =>
  manifests.flatMap(({ path, json }) =>
    KINDS.flatMap(kind => Object.values(tableAt(json, kind)))
      .filter(
        (one): one is string => typeof one === 'string' && /^(file:|\.\.?\/).*\.(tgz|tar\.gz)$/.test(one),
      )
      .map(one => posix.join(posix.dirname(path), one.replace(/^file:/, '')))
      .filter(isInside),
  );
