/**
 * What plugins did wrong while a run was driven, kept beside the run: the one who looks on is in another process.
 * Lines of JSON, written only by the one who drives; a line that is torn or strange is passed over.
 */
import { appendFile } from 'node:fs/promises';
import type { RunFiles } from '../formats/layout.ts';
import { readText } from '../formats/read-text.ts';
import type { Blame } from './calls.ts';

export interface ProblemLog {
  readonly note: (blame: Blame) => void;
  /** Writes what was noted, and what has been added to `grows` since it was opened. */
  keep(): Promise<void>;
}

export function problemLog(files: RunFiles, grows: readonly Blame[]): ProblemLog {
  let noted: Blame[] = [];
  let seen = grows.length;
  return {
    note: blame => {
      noted.push(blame);
    },
    async keep() {
      const fresh = [...grows.slice(seen), ...noted];
      seen = grows.length;
      noted = [];
      const lines = fresh.map(({ plugin, problem }) => `${JSON.stringify({ plugin, problem })}\n`);
      // A log of complaints must not end the run it belongs to.
      if (lines.length > 0) await appendFile(files.pluginProblems, lines.join('')).catch(() => {});
    },
  };
}

/** Each problem once, in the order in which they were found. */
export async function readProblems(files: RunFiles): Promise<Blame[]> {
  const text = (await readText(files.pluginProblems).catch(() => null)) ?? '';
  return [...new Set(text.split('\n'))].flatMap(line => {
    try {
      const { plugin, problem } = JSON.parse(line) as Partial<Blame>;
      return plugin && problem ? [{ plugin, problem }] : [];
    } catch {
      return [];
    }
  });
}
