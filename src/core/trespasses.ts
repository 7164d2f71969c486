/** Whether the agent of the step wrote where it may not. What it left there is kept aside and taken back. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { defineFile } from '../formats/define.ts';
import { load, replace, replaceJson } from '../formats/file.ts';
import type { RunState } from '../formats/state.ts';
import { readBlob, treeAt } from '../workspace/diff.ts';
import { fingerprint, keepStrays, restoreWorktree, strayChanges, worktreeTree } from '../workspace/strays.ts';
import { currentStep } from './pipeline.ts';
import type { Site } from './site.ts';

const before = z.strictObject({
  files: z.record(z.string(), z.string()),
  /** Folders of agents that still ended when this one began: what changes there is not this one's doing. */
  overlaps: z.array(z.string()),
});
const beforeFile = defineFile(
  'sealed/before.*.json',
  'What stood in the run directory when a launch began.',
  before,
);
/** Bytes this record may have: an agent may well install packages beside its tests. */
const RECORD_LIMIT = 256_000_000;
const fileOf = (site: Site, launch: number) => join(site.files.sealed, `before.${launch}.json`);

/** To be called before the agent is started. */
export async function rememberBefore(site: Site, s: RunState): Promise<void> {
  const overlaps = s.open.map(o => s.setup.pipeline.find(step => step.name === o.step)?.folder ?? o.role);
  const files = Object.fromEntries(await fingerprint(site.files.dir));
  await replaceJson(fileOf(site, s.launch), { files, overlaps } satisfies z.infer<typeof before>);
}

/** What was wrong, in words for the agent; null when it kept to its place. */
export async function trespasses(site: Site, s: RunState): Promise<string | null> {
  const { files, repo, options } = site;
  const step = currentStep(s);
  const known = await load(beforeFile, fileOf(site, s.launch), RECORD_LIMIT);
  if (!known) return null;
  const was = new Map(Object.entries(known.files));
  const keepIn = join(files.stray, String(s.launch));
  const strays = strayChanges(was, await fingerprint(files.dir), [step.folder, 'crp', ...known.overlaps]);
  await keepStrays(files.dir, strays, keepIn);
  for (const path of strays) await takeBack(site, s, path, was.has(path));
  if (step.role !== 'builder') strays.push(...(await straysInWorktree()));
  return strays.length > 0
    ? `you wrote outside ${step.folder}/: ${strays.slice(0, 10).join(', ')}. Write only there, and questions in crp/.`
    : null;

  async function straysInWorktree(): Promise<string[]> {
    const sealed = s.sealed['build']?.tree ?? (await treeAt(repo, options.base));
    if ((await worktreeTree(repo, files.worktree, options.base)) === sealed) return [];
    const changed = await restoreWorktree(repo, files.worktree, sealed, join(keepIn, 'builder', 'output'));
    return known!.overlaps.includes('builder') ? [] : changed.map(path => `builder/output/${path}`);
  }
}

/** A stray file that is new goes; one that was changed comes back as it was sealed, if it was. */
async function takeBack({ files, repo }: Site, s: RunState, path: string, existed: boolean): Promise<void> {
  if (!existed) return rm(join(files.dir, path), { recursive: true, force: true });
  const owner = s.setup.pipeline.findLast(step => path.startsWith(`${step.folder}/`) && s.sealed[step.name]);
  const sealed = owner && s.sealed[owner.name];
  const blob = sealed && (await readBlob(repo, sealed.commit, path.slice(owner.folder.length + 1)));
  if (blob) await replace(join(files.dir, path), blob.toString());
}
