/** Finds the pack that `dure prove` checks: a bundle, the folder of a pack, or a commit of the clone. */
import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { asTyped, dureError } from '../../errors.ts';
import { statsOfTarget } from '../../formats/file-system/path-status.ts';
import { runId } from '../../formats/schema/common-fields.ts';
import { type Repository, revParse } from '../../workspace/git/run-git.ts';
import { packRef } from '../../workspace/pack/commit-pack.ts';
import type { ProveOf } from './prove.ts';

type Found = Pick<ProveOf, 'source' | 'files'>;

/** Throws `E_PROVE_SOURCE` if it finds no pack. */
export async function findSource(clone: Repository | null, named: string): Promise<Found> {
  const found = await statsOfTarget(named);
  if (found?.isFile()) return { source: { bundle: resolve(named) }, files: {} };
  if (found?.isDirectory()) return ofFolder(clone, named);
  for (const name of [packRef(named), named]) {
    const commit = await commitAt(clone, name);
    if (commit !== null) return { source: { commit }, files: {} };
  }
  throw dureError('E_PROVE_SOURCE', { source: asTyped(named) });
}

/** `folder` is `mrp/` or the folder of a run. */
async function ofFolder(clone: Repository | null, folder: string): Promise<Found> {
  for (const dir of [folder, join(folder, 'mrp')]) {
    const text = await readFile(join(dir, 'evidence.json'), 'utf8').catch(() => null);
    const id = text === null ? null : idIn(text);
    const commit = id === null ? null : await commitAt(clone, packRef(id));
    if (commit !== null) return { source: { commit }, files: await filesOf(dir) };
  }
  throw dureError('E_PROVE_SOURCE', { source: folder });
}

function idIn(evidence: string): string | null {
  try {
    return runId.parse(JSON.parse(evidence)?.run_id);
  } catch {
    return null;
  }
}

const commitAt = async (clone: Repository | null, name: string): Promise<string | null> =>
  clone && revParse(clone, `${name}^{commit}`);

async function filesOf(dir: string): Promise<Record<string, Buffer>> {
  const entries = (await readdir(dir, { withFileTypes: true })).filter(entry => entry.isFile());
  return Object.fromEntries(
    await Promise.all(entries.map(async ({ name }) => [name, await readFile(join(dir, name))] as const)),
  );
}
