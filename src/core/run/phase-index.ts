/**
 * In which phase runs ended, so that a search among thousands does not open each of them. It is derived and may be
 * deleted at any time: an entry counts only for the very file it was made from, and nothing but a search reads it.
 */
import { renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { type ProjectFiles, runFiles } from '../../formats/layout.ts';
import { readTextNow } from '../../formats/read-text.ts';
import { isOver } from '../policy/evolve.ts';
import { runStanding } from './run-store.ts';

/** How much had to be read anew before it is worth keeping. */
const WORTH = 100;
const LARGEST = 50_000_000;

export interface PhaseIndex {
  /** The phase a run stands in now; null when only its files can say why it has none. */
  phaseOf(id: string): Promise<string | null>;
  /** Keeps what was learnt. A folder that cannot be written costs the next search some time. */
  keep(): void;
}

type Known = Record<string, readonly [stamp: string, phase: string]>;

export function phaseIndex(project: ProjectFiles): PhaseIndex {
  const known = kept(project.runIndex);
  let learnt = 0;
  return {
    async phaseOf(id) {
      const files = runFiles(project.run(id));
      const stamp = stampOf(files.state);
      const [made, phase] = known[id] ?? [];
      if (stamp !== null && made === stamp) return phase!;
      const stands = await runStanding(files).catch(() => null);
      if (stamp !== null && stands && isOver(stands.state)) {
        known[id] = [stamp, stands.state.phase];
        learnt += 1;
      }
      return stands?.state.phase ?? null;
    },
    keep() {
      if (learnt < WORTH) return;
      const making = `${project.runIndex}.${process.pid}`;
      try {
        writeFileSync(making, JSON.stringify(known), { flag: 'wx' });
        renameSync(making, project.runIndex);
      } catch {
        try {
          rmSync(making, { force: true });
        } catch {}
      }
    },
  };
}

/** A state is always replaced by another file. */
function stampOf(file: string): string | null {
  const stats = statSync(file, { throwIfNoEntry: false });
  return stats ? `${stats.ino}-${stats.mtimeMs}-${stats.size}` : null;
}

function kept(file: string): Known {
  try {
    const read: unknown = JSON.parse(readTextNow(file, LARGEST) ?? '{}');
    if (typeof read !== 'object' || read === null) return {};
    return Object.fromEntries(Object.entries(read).filter(([, one]) => isEntry(one)));
  } catch {
    return {};
  }
}

const isEntry = (one: unknown): boolean =>
  Array.isArray(one) && one.length === 2 && one.every(part => typeof part === 'string');
