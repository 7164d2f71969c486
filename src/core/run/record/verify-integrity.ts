/** Compares everything that a run records with what it is derived from. A damaged seal is not restored. */
import { basename } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { evidenceFile, PACK_LIMIT } from '../../../formats/evidence.ts';
import { unlessDiskFails } from '../../../formats/file-system/temporary-disk-errors.ts';
import type { ProjectFiles, RunFiles } from '../../../formats/layout.ts';
import type { RecordedDecision } from '../../../formats/output/common.ts';
import { readValue } from '../../../formats/read-and-write-files.ts';
import type { RunState } from '../../../formats/state.ts';
import { askGit } from '../../../workspace/git/run-git.ts';
import { bundlesIn, damagedSeals, isWholeBundle } from '../../../workspace/seal/restore-damaged-seals.ts';
import { fold } from '../../policy/evolve.ts';
import { changedInPack } from '../pack/pack-integrity.ts';
import { keyFault } from './hmac-key.ts';
import { isInLog } from './log-chain-head.ts';
import { recordedOrOwnRepository } from './open-recorded-repository.ts';
import { logCorrupt, lostLines, type RunLog, readLog, savedState } from './read-run-record.ts';
import { recordedDecisions } from './verify-recorded-decisions.ts';

export const VERIFIED = ['log', 'state', 'decisions', 'seals', 'bundles', 'pack'] as const;

interface Verified {
  readonly check: (typeof VERIFIED)[number];
  /** The first fault; null if there is none, or if there is nothing to compare. */
  readonly fault: string | null;
}

export interface VerifiedRun {
  readonly checks: readonly Verified[];
  readonly decisions: readonly RecordedDecision[];
}

export async function verifyRun(project: ProjectFiles, files: RunFiles): Promise<VerifiedRun> {
  // Read first: the driver appends to the log before it saves the state.
  const saved = await savedState(files);
  const log = await readLog(files.events);
  const damage = log.damage ?? lostLines(log, saved);
  const state = log.events.length > 0 ? fold(log.events) : saved.state;
  const decisions = state ? await recordedDecisions(files, state, log.events) : [];
  const faults: Record<Verified['check'], string | null> = {
    log: damage
      ? logCorrupt(files.events, damage).message
      : ((state && keyFault(state.key)) ?? (await headFault(project, files, log))),
    state: stateFault(log, saved.state),
    decisions: decisionFault(decisions),
    seals: state && (await sealFault(project, files, state)),
    bundles: state && (await bundleFault(project, files, state)),
    pack: state && (await packFault(files, state)),
  };
  return { checks: VERIFIED.map(check => ({ check, fault: faults[check] })), decisions };
}

/** Checks that the lines named by the pack and by the commit of the result are in the log. */
async function headFault(project: ProjectFiles, files: RunFiles, { events }: RunLog): Promise<string | null> {
  const evidence = await readValue(evidenceFile, files.evidence, PACK_LIMIT);
  const commit = events.findLast(event => event.type === 'run.completed')?.commit;
  const show = ['show', '--no-patch', '--format=%(trailers:key=Dure-Log,valueonly)', `${commit}`];
  const heads = {
    'the pack': evidence?.log,
    'the commit':
      commit &&
      (
        await askGit(await recordedOrOwnRepository(project, files), show).catch(unlessDiskFails(null))
      )?.trim(),
  };
  for (const [name, head] of Object.entries(heads))
    if (head && !(await isInLog(files.events, head)))
      return `${name} refers to a line that is not in the log: ${head}`;
  return null;
}

function decisionFault(decisions: readonly RecordedDecision[]): string | null {
  const faults = decisions.flatMap(({ file, fault }) => (fault === null ? [] : [`${file}: ${fault}`]));
  return faults.length > 0 ? faults.join('; ') : null;
}

/**
 * Checks that state.json is the fold of the events up to its `seq`. The driver may have recorded one more event since.
 */
function stateFault({ events }: RunLog, saved: RunState | null): string | null {
  if (!saved) return 'state.json is missing or not valid; it will be rebuilt from the log when needed';
  if (saved.seq > events.length)
    return `state.json records ${saved.seq} events, but the log has ${events.length}`;
  const folded = JSON.parse(JSON.stringify(fold(events.slice(0, saved.seq)))) as object;
  const keys = Object.keys({ ...folded, ...saved }) as (keyof RunState)[];
  const other = keys.find(key => !isDeepStrictEqual(saved[key], (folded as RunState)[key]));
  return other === undefined ? null : `state.json does not match the log: ${other}`;
}

async function sealFault(project: ProjectFiles, files: RunFiles, s: RunState): Promise<string | null> {
  const lost = await damagedSeals(await recordedOrOwnRepository(project, files), s.base, s.sealed);
  return lost.length > 0 ? `objects are missing or changed: ${lost.join(', ')}` : null;
}

async function bundleFault(project: ProjectFiles, files: RunFiles, s: RunState): Promise<string | null> {
  const repo = await recordedOrOwnRepository(project, files);
  const bundles = await bundlesIn(files.sealed);
  for (const file of bundles)
    if (!(await isWholeBundle(repo, file))) return `sealed/${basename(file)} is not valid`;
  const steps = Object.keys(s.sealed).length;
  return bundles.length < steps
    ? `the number of bundles (${bundles.length}) is smaller than the number of sealed steps (${steps})`
    : null;
}

async function packFault(files: RunFiles, s: RunState): Promise<string | null> {
  const changed = await changedInPack(files, s);
  return changed.length > 0 ? `changed since the pack was created: ${changed.join(', ')}` : null;
}
