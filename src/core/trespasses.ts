/** Whether the agent of the step wrote where it may not. What it left there is kept aside and taken back. */
import { join } from 'node:path';
import { z } from 'zod';
import { defineFile } from '../formats/define.ts';
import { load, replaceJson } from '../formats/file.ts';
import type { RunState } from '../formats/state.ts';
import { treeAt } from '../workspace/diff.ts';
import { fingerprint, keepStrays, restoreWorktree, strayChanges, worktreeTree } from '../workspace/strays.ts';
import { currentStep } from './pipeline.ts';
import type { Site } from './site.ts';

const before = z.strictObject({
  files: z.record(z.string(), z.string()),
  /** Folders of agents that still ended when this one began: what changes there is not this one's doing. */
  overlaps: z.array(z.string()),
});
const beforeFile = defineFile('sealed/before.*.json', 'What stood in the run directory when a launch began.', before);
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
  const known = await load(beforeFile, fileOf(site, s.launch));
  if (!known) return null;
  const now = await fingerprint(files.dir);
  const strays = strayChanges(new Map(Object.entries(known.files)), now, [step.folder, 'crp', ...known.overlaps]).filter(
    path => !path.startsWith('vcr/') && !path.startsWith('feedback/'),
  );
  const keepIn = join(files.stray, String(s.launch));
  await keepStrays(files.dir, strays, keepIn);
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
