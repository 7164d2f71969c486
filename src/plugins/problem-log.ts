/**
 * What plugins did wrong in a run, kept beside it: the one who looks on is in another process, and a role that could
 * not be loaded is missing in the result. Lines of JSON, written by the one who starts the run and then by the one who
 * drives it; a line that is torn or strange is passed over.
 */
import { openLog } from '../formats/append.ts';
import type { RunFiles } from '../formats/layout.ts';
import { readText } from '../formats/read-text.ts';
import type { Blame } from './calls.ts';

export interface ProblemLog {
  readonly note: (blame: Blame) => void;
  /** Writes what was noted, and what is new in `grows`. */
  keep(): Promise<void>;
}

export function problemLog(files: RunFiles, grows: readonly Blame[]): ProblemLog {
  let noted: Blame[] = [];
  let seen = 0;
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
      if (lines.length > 0) await add(files.pluginProblems, lines.join('')).catch(() => {});
    },
  };
}

async function add(file: string, text: string): Promise<void> {
  const handle = await openLog(file, 0o644);
  try {
    await handle.appendFile(text);
  } finally {
    await handle.close();
  }
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
