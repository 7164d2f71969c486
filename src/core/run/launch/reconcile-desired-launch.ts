/**
 * Starts and stops agents until the desired launch is running. Idempotent: a launch is claimed by exactly one runner.
 */

import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DureError } from '../../../errors.ts';
import type { EventOf } from '../../../formats/events/events.ts';
import { expectFreeSpace, expectRoom } from '../../../formats/file-system/free-space.ts';
import { exists } from '../../../formats/file-system/path-status.ts';
import { openFolder, removeFolder } from '../../../formats/file-system/remove-folder.ts';
import { diskFault, unlessDiskFails } from '../../../formats/file-system/temporary-disk-errors.ts';
import { launchFile } from '../../../formats/launch.ts';
import { runBranch } from '../../../formats/layout.ts';
import { makeFolder, readText, readValue, replaceJson } from '../../../formats/read-and-write-files.ts';
import type { RunState, Step } from '../../../formats/state.ts';
import { isAlive, signalProcess } from '../../../process/identity.ts';
import { killMarked } from '../../../process/kill.ts';
import { removeCheckouts } from '../../../workspace/checkout.ts';
import { stateFolder } from '../../../workspace/user-state-folder.ts';
import { addWorktree } from '../../../workspace/worktree.ts';
import { isStraggler, type Launch } from '../../policy/desired-launch.ts';
import { isAgentStep } from '../../policy/pipeline/look-up-steps.ts';
import { isOver } from '../../policy/state/phase.ts';
import { worktreeCommit } from '../../policy/state/sealed-trees.ts';
import { revertLeftovers, saveFingerprint } from '../effects/detect-and-revert-stray-files.ts';
import { keepLostRefs, recordUserRefs } from '../effects/keep-lost-refs.ts';
import { restoreRunSeals } from '../effects/seal-bundles.ts';
import { saveUserFileSnapshot } from '../effects/user-file-snapshots.ts';
import type { RunContext } from '../run-context.ts';
import { failedLaunch } from './agent-failed-event.ts';
import { prepareLaunch } from './prepare-launch.ts';

/** Grace period (ms) in which a straggler may exit by itself after its work was sealed. */
const GRACE_MS = 10_000;
/** Grace period (ms) in which a runner may escalate its signals to the agent, before the runner itself is killed. */
const ESCALATION_MS = 20_000;
/** Milliseconds after which an unclaimed launch is started again. */
const START_MS = 15_000;

/** Number of starts after which an unclaimed launch becomes a question to the user. */
const MAX_TRIES = 4;

/**
 * What this process remembers about its own actions, by launch. A new process remembers nothing and may wait a
 * little longer than needed. Times are from `performance.now()`; null means never.
 */
export type Memory = Map<number, LaunchMemory>;
interface LaunchMemory {
  startedAt: number | null;
  /** How many times the launch was started without being claimed. */
  tries: number;
  unwantedSince: number | null;
  endRequestedAt: number | null;
}
export const emptyMemory = (): Memory => new Map();

function memoryOf(memory: Memory, launch: number): LaunchMemory {
  const nothing = { startedAt: null, tries: 0, unwantedSince: null, endRequestedAt: null };
  const own = memory.get(launch) ?? nothing;
  memory.set(launch, own);
  return own;
}

/** Returns the failure to show to the user if the scheduled launch cannot be started. */
export async function reconcile(
  context: RunContext,
  s: RunState,
  desired: Launch | null,
  memory: Memory,
): Promise<EventOf<'agent.failed'> | null> {
  if (isOver(s) && s.since === null) await withdraw(context, s.launch);
  if (isOver(s) && s.open.length === 0) {
    // A killed runner could not remove its own checkouts.
    await removeCheckouts(await stateFolder(context.repo.workTree), context.files.dir);
    // A run that ends without a pack has not kept them yet. Nothing may prevent its end.
    await keepLostRefs(context, s).catch(unlessDiskFails(null));
  }
  const others = s.open.filter(o => o.launch !== desired?.launch);
  for (const other of others) await endLaunch(context, s, other, memory);
  // A runner that is waiting for disk space cannot report the problem, so check the disk here.
  if (s.open.length > 0) await expectFreeSpace(context.files.dir);
  if (!desired || (desired.notBefore !== null && Date.parse(desired.notBefore) > Date.now())) return null;
  if (s.since !== null) return null;
  const { files } = context;
  // The runner that claimed the launch has already read its record, so an invalid record no longer matters.
  const isClaimed = async () =>
    (await exists(files.claim(desired.launch))) && (await exists(files.launch(desired.launch)));
  if (await isClaimed()) return null;
  const isPrepared = (await readValue(launchFile, files.launch(desired.launch))) !== null;
  // Two agents in the same step would write the same files: wait until the previous one has ended.
  if (others.some(other => other.step === desired.step.name)) return null;
  const own = memoryOf(memory, desired.launch);
  if (own.startedAt !== null && performance.now() - own.startedAt < START_MS) return null;
  // An agent that starts on a full disk would cost money for nothing.
  await makeFolder(context.files.launches);
  await expectRoom(context.files.launches);
  own.startedAt = performance.now();
  own.tries += 1;
  if (own.tries > MAX_TRIES) {
    own.tries = 0;
    await withdraw(context, desired.launch);
    return failedLaunch(s, 'resource', await unclaimedMessage(context, desired));
  }
  try {
    if (!isPrepared) await writeLaunch(context, s, desired);
    await context.launcher.start({ role: desired.step.role, launch: desired.launch });
    if (!isPrepared) await saveUserFileSnapshot(context, desired.launch);
    return null;
  } catch (error) {
    if (!(error instanceof DureError) || diskFault(error)) {
      // Does not count as an attempt: the launch is prepared again as soon as the disk works.
      own.startedAt = null;
      own.tries -= 1;
    }
    // If the disk is full, nothing can be recorded either.
    if (!(error instanceof DureError) || error.code === 'E_DISK') throw error;
    // A launcher that reports a failure may still have started a runner.
    if (await isClaimed()) return null;
    await withdraw(context, desired.launch);
    return failedLaunch(s, 'permission', [error.message, ...error.suggestions].join(' '));
  }
}

/** Says that no runner claimed the launch, and quotes the output of the last one, if any. */
async function unclaimedMessage({ files }: RunContext, { step, launch }: Launch): Promise<string> {
  const output = await readText(files.screen(step.role, launch)).catch(unlessDiskFails(null));
  return `the runner was started ${MAX_TRIES} times but never claimed the launch${output?.trim() ? `: ${output.trim().slice(-1000)}` : ''}`;
}

/** Removes an unwanted launch before a runner can claim it: a late runner would run alongside the next launch. */
const withdraw = ({ files }: RunContext, launch: number): Promise<void> =>
  rm(files.launch(launch), { force: true });

/** A straggler gets a grace period; an agent that blocks the next one, or whose run is over, is stopped immediately. */
async function endLaunch(
  { files }: RunContext,
  s: RunState,
  open: RunState['open'][number],
  memory: Memory,
): Promise<void> {
  const { launch, runner } = open;
  if (!runner || !isAlive(runner)) return;
  const own = memoryOf(memory, launch);
  own.unwantedSince ??= performance.now();
  if (isStraggler(s, open) && performance.now() - own.unwantedSince < GRACE_MS) return;
  if (own.endRequestedAt === null) {
    own.endRequestedAt = performance.now();
    signalProcess(runner, 'SIGTERM');
  } else if (performance.now() - own.endRequestedAt > ESCALATION_MS) {
    signalProcess(runner, 'SIGKILL');
    killMarked(files.dir, launch);
  }
}

/** Writes everything a launch needs before it can be claimed; its own record comes last. */
async function writeLaunch(context: RunContext, s: RunState, { step, launch }: Launch): Promise<void> {
  const { files, repo } = context;
  await restoreRunSeals(context, s);
  if (step.yields !== 'proof') {
    await addWorktree(repo, files.worktree, runBranch(s.run_id), worktreeCommit(s));
  }
  await makeFolder(join(files.dir, step.folder));
  await openFolder(join(files.dir, step.folder));
  await revertLeftovers(context, s);
  await removeOldOutputs(context, step, s.resume !== null);
  // The launch is not written yet, so existing claim, exit, delay or output files for it cannot be genuine.
  const ofLaunch = [files.claim(launch), files.exit(launch), files.delay(launch)];
  const output = [files.screen(step.role, launch), files.stream(step.role, launch)];
  await Promise.all([...ofLaunch, ...output].map(removeFolder));
  const [spec] = await Promise.all([
    prepareLaunch(context, s, launch),
    saveFingerprint(context, s),
    recordUserRefs(context, s),
  ]);
  // The file may contain keys: only this user may read it.
  await replaceJson(files.launch(launch), spec, 0o600);
}

/** Removes the flags and results of an earlier launch, except for the results of a session that is resumed. */
async function removeOldOutputs({ files }: RunContext, step: Step, resumed: boolean): Promise<void> {
  const [flags, results] = isAgentStep(step) ? [[step.flag], step.clears] : [[], step.outputs];
  const ownPaths = [...flags, ...(resumed ? [] : results)].map(path => join(files.dir, path));
  const old = [files.doneOf(step.folder), files.errorOf(step.folder), ...ownPaths];
  await Promise.all(old.map(removeFolder));
}
