/** Compares everything that a run records with what it follows from. A damaged seal is not restored. */
import { basename } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { ProjectFiles, RunFiles } from '../../formats/layout.ts';
import type { RunState } from '../../formats/state.ts';
import { repositoryOfRun } from '../../workspace/repository.ts';
import { bundlesIn, damagedSeals, isWholeBundle } from '../../workspace/seal-bundle.ts';
import { fold } from '../policy/evolve.ts';
import { changedInPack } from './pack-hashes.ts';
import { logCorrupt, lostLines, type RunLog, readLog, readOptions, savedState } from './run-record.ts';

export const VERIFIED = ['log', 'state', 'seals', 'bundles', 'pack'] as const;

export interface Verified {
  readonly check: (typeof VERIFIED)[number];
  /** The first fault; null if there is none, or nothing to compare. */
  readonly fault: string | null;
}

export async function verifyRun(project: ProjectFiles, files: RunFiles): Promise<Verified[]> {
  // Read first: the driver appends to the log before it saves the state.
  const saved = await savedState(files);
  const log = await readLog(files.events);
  const damage = log.damage ?? lostLines(log, saved);
  const state = log.events.length > 0 ? fold(log.events) : saved.state;
  const faults: Record<Verified['check'], string | null> = {
    log: damage && logCorrupt(files.events, damage).message,
    state: stateFault(log, saved.state),
    seals: state && (await sealFault(project, files, state)),
    bundles: state && (await bundleFault(project, files, state)),
    pack: state && (await packFault(files, state)),
  };
  return VERIFIED.map(check => ({ check, fault: faults[check] }));
}

/** state.json is the fold of as many events as it knows; the driver may have recorded one more since. */
function stateFault({ events }: RunLog, saved: RunState | null): string | null {
  if (!saved) return 'state.json is missing or not valid; it is derived from the log again when it is needed';
  if (saved.seq > events.length) return `state.json knows ${saved.seq} events, the log has ${events.length}`;
  const folded = JSON.parse(JSON.stringify(fold(events.slice(0, saved.seq)))) as object;
  const keys = Object.keys({ ...folded, ...saved }) as (keyof RunState)[];
  const other = keys.find(key => !isDeepStrictEqual(saved[key], (folded as RunState)[key]));
  return other === undefined ? null : `state.json does not follow from the log: ${other}`;
}

async function sealFault(project: ProjectFiles, files: RunFiles, s: RunState): Promise<string | null> {
  const lost = await damagedSeals(await repositoryAt(project, files), s.base, s.sealed);
  return lost.length > 0 ? `objects are missing or changed: ${lost.join(', ')}` : null;
}

async function bundleFault(project: ProjectFiles, files: RunFiles, s: RunState): Promise<string | null> {
  const repo = await repositoryAt(project, files);
  const bundles = await bundlesIn(files.sealed);
  for (const file of bundles)
    if (!(await isWholeBundle(repo, file))) return `sealed/${basename(file)} is not valid`;
  const steps = Object.keys(s.sealed).length;
  return bundles.length < steps ? `${bundles.length} bundles for ${steps} sealed steps` : null;
}

async function packFault(files: RunFiles, s: RunState): Promise<string | null> {
  const changed = await changedInPack(files, s);
  return changed.length > 0 ? `changed since the pack was created: ${changed.join(', ')}` : null;
}

const repositoryAt = async (project: ProjectFiles, files: RunFiles) =>
  repositoryOfRun(project, (await readOptions(files).catch(() => null)) ?? { shadow: false });
