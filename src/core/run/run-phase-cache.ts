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
const MIN_NEW_ENTRIES = 100;
const MAX_BYTES = 50_000_000;

export interface PhaseIndex {
  /** The current phase of a run; null if it cannot be read. */
  phaseOf(id: string): Promise<string | null>;
  /** Saves new entries. If that fails, the next search is only slower. */
  save(): void;
}

type Known = Record<string, readonly [stamp: string, phase: string]>;

export function phaseIndex(project: ProjectFiles): PhaseIndex {
  const entries = readCache(project.runIndex);
  let newEntries = 0;
  return {
    async phaseOf(id) {
      const files = runFiles(project.run(id));
      const stamp = stampOf(files.state);
      const [cachedStamp, phase] = entries[id] ?? [];
      if (stamp !== null && cachedStamp === stamp) return phase!;
      const status = await runStatus(files).catch(() => null);
      if (stamp !== null && status && isOver(status.state)) {
        entries[id] = [stamp, status.state.phase];
        newEntries += 1;
      }
      return status?.state.phase ?? null;
    },
    save() {
      if (newEntries < MIN_NEW_ENTRIES) return;
      const temporary = `${project.runIndex}.${process.pid}`;
      try {
        writeFileSync(temporary, JSON.stringify(entries), { flag: 'wx' });
        renameSync(temporary, project.runIndex);
      } catch {
        try {
          rmSync(temporary, { force: true });
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

function readCache(file: string): Known {
  try {
    const read: unknown = JSON.parse(readTextNow(file, MAX_BYTES) ?? '{}');
    if (typeof read !== 'object' || read === null) return {};
    return Object.fromEntries(Object.entries(read).filter(([, one]) => isEntry(one)));
  } catch {
    return {};
  }
}

const isEntry = (one: unknown): boolean =>
  Array.isArray(one) && one.length === 2 && one.every(part => typeof part === 'string');
