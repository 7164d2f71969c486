/** Detects files that an agent wrote outside its folders, saves copies of them and reverts them. */
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { openFolder, removeFolder } from '../../../formats/file-system/remove-folder.ts';
import { runFiles } from '../../../formats/layout.ts';
import { readValue, replace, replaceJson } from '../../../formats/read-and-write-files.ts';
import { defineFile } from '../../../formats/schema/define-file.ts';
import type { RunState, Step } from '../../../formats/state.ts';
import { readBlob } from '../../../workspace/git/read-blobs.ts';
import { treeAt } from '../../../workspace/git/tree-of-commit.ts';
import {
  type Fingerprint,
  fingerprint,
  keepStrays,
  restoreWorktree,
  strayChanges,
  worktreeTree,
} from '../../../workspace/seal/stray-files.ts';
import { currentStep, stepOf } from '../../policy/pipeline/look-up-steps.ts';
import { sealedWorktree } from '../keep-edits-of-run.ts';
import type { RunContext } from '../run-context.ts';

const before = z.strictObject({
  files: z.record(z.string(), z.string()),
  /**
   * Folders of earlier agents that were still exiting when this one started: changes there are not attributed
   * to it.
   */
  overlaps: z.array(z.string()),
});
const beforeFile = defineFile(
  'sealed/before.*.json',
  'The contents of the run folder when a launch began.',
  before,
);
type Before = z.infer<typeof before>;
/** Maximum size of this record in bytes; large, because an agent may install packages next to its tests. */
const RECORD_LIMIT = 256_000_000;
const fileOf = (context: RunContext, launch: number) => join(context.files.sealed, `before.${launch}.json`);
const at = runFiles('.');
/** The files that Dure writes when it runs the tests. */
const OF_PROOF = [at.testOutput, at.testLog, at.testCases, at.exam];

/** Where a step's agent may write, in addition to `crp/`. */
const writesOf = ({ folder, yields }: Step): string[] =>
  yields === 'tree' ? [folder, at.worktree] : [folder];

const stepFolders = (s: RunState): string[] => s.setup.pipeline.map(step => step.folder);

/** Call before the agent is started. */
export async function saveFingerprint(context: RunContext, s: RunState): Promise<void> {
  const overlaps = s.open.flatMap(o => writesOf(stepOf(s.setup, o.step)));
  const files = Object.fromEntries(await fingerprint(context.files.dir, stepFolders(s)));
  await replaceJson(fileOf(context, s.launch), { files, overlaps } satisfies Before);
}

/** Returns a message to the agent about files that it wrote where it must not; null if there are none. */
export async function writeViolations(context: RunContext, s: RunState): Promise<string | null> {
  const step = currentStep(s);
  const record = await recordOf(context, s.launch);
  const overlaps = record?.overlaps ?? [];
  const proved = step.yields === 'proof' ? OF_PROOF : [];
  const strays = await revertStrays(context, s, record, s.launch, [step.folder, at.crps, ...proved]);
  if (step.yields !== 'tree') {
    const changed = await restored(context, s, s.launch);
    if (!overlaps.includes(at.worktree)) strays.push(...changed);
  }
  if (!record)
    return 'the record of the files that existed before you started is missing: do not touch sealed/';
  return strays.length > 0
    ? `you wrote outside ${step.folder}/: ${strays.slice(0, 10).join(', ')}. Write only in ${step.folder}/; questions go in crp/.`
    : null;
}

/**
 * Call before preparing another agent. Files that the previous one left outside its folders, because it failed or kept
 * running after its work was sealed, must not look as if they had always been there.
 */
export async function revertLeftovers(context: RunContext, s: RunState): Promise<void> {
  const [last] = Object.entries(s.agents)
    .flatMap(([role, { launch = 0 }]) => (launch > 0 ? [{ role, launch }] : []))
    .sort((a, b) => b.launch - a.launch);
  if (!last) return;
  const steps = s.setup.pipeline.filter(step => step.role === last.role);
  const folders = steps.map(step => step.folder);
  const record = await recordOf(context, last.launch);
  const answers = s.decisions.map(at.vcr).filter(path => !record?.files[path]);
  // Not checked: the pack and its feedback, which are newer than the last agent, and test results, which are recorded.
  const since = [at.mrp, at.feedback, ...OF_PROOF, at.checks, at.checksLog, ...answers];
  await revertStrays(context, s, record, last.launch, [...folders, at.crps, ...since]);
  const failed = ['failed', 'timeout'].includes(s.agents[last.role]?.status ?? '');
  const { role, yields } = currentStep(s);
  // A role that builds continues from what its last agent left. Before any other role builds, the worktree is restored,
  // because its contents would become part of that role's work. Other steps compare the worktree when they end; it is
  // restored here if an agent that does not build has failed.
  if (yields === 'tree' ? role !== last.role : failed && !steps.some(step => step.yields === 'tree'))
    await restored(context, s, last.launch);
}

/** Returns the record that was made before the launch; null if an agent removed or damaged it. */
const recordOf = (context: RunContext, launch: number): Promise<Before | null> =>
  readValue(beforeFile, fileOf(context, launch), RECORD_LIMIT);

/** Without a record, anything may have been changed: sealed files are restored, and no answer is trusted. */
async function revertStrays(
  context: RunContext,
  s: RunState,
  record: Before | null,
  launch: number,
  allowed: readonly string[],
): Promise<string[]> {
  const { dir, stray, vcrs } = context.files;
  const now = await fingerprint(dir, stepFolders(s));
  const was: Fingerprint = new Map(Object.entries(record?.files ?? {}));
  const strays = strayChanges(was, now, [...allowed, ...(record?.overlaps ?? [])]);
  await keepStrays(dir, strays, join(stray, String(launch)));
  for (const path of strays) {
    const existed = record ? was.has(path) : join(dir, path, '..') !== vcrs;
    await revertFile(context, s, path, existed);
  }
  return strays;
}

/** Removes a new stray file; restores a changed one from its seal, if it has one. */
async function revertFile(
  { files, repo }: RunContext,
  s: RunState,
  path: string,
  existed: boolean,
): Promise<void> {
  await openFolders(files.dir, dirname(path));
  if (!existed) return removeFolder(join(files.dir, path));
  const owner = s.setup.pipeline.findLast(step => path.startsWith(`${step.folder}/`) && s.sealed[step.name]);
  const sealed = owner && s.sealed[owner.name];
  const blob = sealed && (await readBlob(repo, sealed.commit, path.slice(owner.folder.length + 1)));
  if (blob) await replace(join(files.dir, path), blob);
}

/** Makes the folders above a path writable again: an agent may have made them read-only. Does not follow links. */
async function openFolders(top: string, path: string): Promise<void> {
  let folder = top;
  for (const name of path.split('/')) {
    folder = join(folder, name);
    if (!(await openFolder(folder))) return;
  }
}

/** Restores the sealed worktree. Returns the paths that differed, relative to the run folder. */
async function restored({ files, repo }: RunContext, s: RunState, launch: number): Promise<string[]> {
  const worktree = sealedWorktree(files, s);
  if ((await worktreeTree(repo, files.worktree, s.base)) === (await treeAt(repo, worktree.commit))) return [];
  const keepIn = join(files.stray, String(launch), at.worktree);
  const changed = await restoreWorktree(repo, worktree, keepIn);
  return changed.map(path => `${at.worktree}/${path}`);
}
