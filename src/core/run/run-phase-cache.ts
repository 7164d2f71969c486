/**
 * The phase in which each run ended, so that a search does not open thousands of runs. A cache that may be deleted at
 * any time: an entry is valid only for the exact file it was read from.
 */

import { renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { type ProjectFiles, runFiles } from '../../formats/layout.ts';
import { readTextNow } from '../../formats/read-text.ts';
import { isOver } from '../policy/phase.ts';
import { runStatus } from './run-store.ts';

/** Minimum number of new entries worth saving. */
const WORTH = 100;
const LARGEST = 50_000_000;

export interface PhaseIndex {
  /** The current phase of a run; null if it cannot be read. */
  phaseOf(id: string): Promise<string | null>;
  /** Saves new entries. If that fails, the next search is only slower. */
  keep(): void;
}

type Known = Record<string, readonly [stamp: string, phase: string]>;

export function phaseIndex(project: ProjectFiles): PhaseIndex {
  const known = kept(project.runIndex);
  let newEntries = 0;
  return {
    async phaseOf(id) {
      const files = runFiles(project.run(id));
      const stamp = stampOf(files.state);
      const [made, phase] = known[id] ?? [];
      if (stamp !== null && made === stamp) return phase!;
      const status = await runStatus(files).catch(() => null);
      if (stamp !== null && status && isOver(status.state)) {
        known[id] = [stamp, status.state.phase];
        newEntries += 1;
      }
      return status?.state.phase ?? null;
    },
    keep() {
      if (newEntries < WORTH) return;
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

/** The state file is always replaced, never modified in place. */
function stampOf(file: string): string | null {
  try {
    const stats = statSync(file);
    return `${stats.ino}-${stats.mtimeMs}-${stats.size}`;
  } catch {
    return null;
  }
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
