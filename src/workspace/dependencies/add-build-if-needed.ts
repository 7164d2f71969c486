/**
 * Determines whether packages must be built before tests can run, and adds the build to the set-up. A build is needed
 * if an entry point is an ignored file (so no fresh tree contains it), a `build` script exists, and tests or other
 * packages import the file.
 */
import { readFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { statsOfTarget } from '../../formats/file-system/path-status.ts';
import type { JsonObject } from '../../formats/schema/json-access.ts';
import { ignoredAmong } from '../git/ignored-paths.ts';
import { printedIn, zSplit } from '../git/run-git.ts';
import type { Folder } from './folder-reader.ts';
import { importsBuilt, runsInTests, type SourceFile } from './imports-build-output.ts';
import { type NodeProject, scriptsOf } from './node/node-project.ts';
import { type Manifest, manifestsBelow } from './node/package-json-files.ts';

/** The commands that build the root package, and every workspace package (null if the tool does not support that). */
interface Build {
  readonly own: string;
  readonly all: string | null;
}

export async function withBuild(
  folder: Folder,
  { manifest, hasWorkspaces }: NodeProject,
  install: string,
  build: Build,
): Promise<{ command: string }> {
  const packages: Manifest[] = hasWorkspaces
    ? await manifestsBelow(folder.path)
    : [{ path: 'package.json', json: manifest }];
  const unbuilt = await unbuiltOf(folder.path, packages);
  if (unbuilt.length === 0 || buildsItself(manifest)) return { command: install };
  if (scriptsOf(manifest)['build'] !== undefined) return { command: `${install} && ${build.own}` };
  const inPackages = unbuilt.some(
    ({ json }) => scriptsOf(json)['build'] !== undefined && !buildsItself(json),
  );
  return { command: inPackages && build.all !== null ? `${install} && ${build.all}` : install };
}

/** Whether one of the scripts that the installation runs anyway builds the package. */
const buildsItself = (manifest: JsonObject): boolean =>
  ['prepare', 'postinstall', 'install'].some(name => {
    const { [name]: script, build } = scriptsOf(manifest);
    return script !== undefined && (/\bbuild\b/.test(script) || script === build);
  });

async function unbuiltOf(root: string, packages: readonly Manifest[]): Promise<Manifest[]> {
  const entries = packages.flatMap(one =>
    entriesOf(one.json).map(entry => ({ one, entry, path: posix.join(posix.dirname(one.path), entry) })),
  );
  const ignored = await ignoredAmong(
    root,
    entries.map(({ path }) => path),
  );
  const unbuilt = entries.filter(({ path }) => ignored.has(path));
  if (unbuilt.length === 0) return [];
  const files = await filesThatRun(root);
  return packages.filter(one => {
    const own = unbuilt.filter(entry => entry.one === one).map(({ entry }) => entry);
    return own.length > 0 && importsBuilt(one, own, packages, filesOf(one, files));
  });
}

/** Returns the files below the package's folder: for the root package, all files. */
const filesOf = ({ path }: Manifest, files: readonly SourceFile[]): readonly SourceFile[] =>
  files.filter(file => file.path.startsWith(path.slice(0, -'package.json'.length)));

const MAX_FILES = 5000;
const MAX_BYTES = 500_000;
const LISTED = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];

/** Returns the files that run in tests and that git does not ignore. */
async function filesThatRun(root: string): Promise<SourceFile[]> {
  const paths = zSplit((await printedIn(root, LISTED)) ?? '')
    .filter(runsInTests)
    .slice(0, MAX_FILES);
  const files = await Promise.all(
    paths.map(async path => {
      const found = await statsOfTarget(join(root, path));
      return found?.isFile() && found.size <= MAX_BYTES
        ? [{ path, text: await readFile(join(root, path), 'utf8') }]
        : [];
    }),
  );
  return files.flat();
}

/** Returns the entry points of a package. Each pattern is replaced by a placeholder path in the same folder. */
function entriesOf(manifest: JsonObject): string[] {
  const texts = ['main', 'module', 'types', 'typings', 'bin', 'exports'].flatMap(key =>
    leaves(manifest[key]),
  );
  const plain = texts.map(text => text.replace(/\*.*$/, 'x').replace(/^\.\//, ''));
  return [...new Set(plain.filter(text => text !== '' && text !== '.' && !text.startsWith('..')))];
}

export function leaves(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(leaves) : [];
}
