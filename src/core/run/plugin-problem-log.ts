/**
 * Stores the plugin problems of a run in the run folder, as lines of JSON: the commands that show the run are other
 * processes, and without this file they could not tell why a plugin's role is missing. The file is written first by the
 * process that starts the run, then by the run's driver. Invalid lines are skipped.
 */

import { unlessDiskFails } from '../../formats/file-system/temporary-disk-errors.ts';
import type { RunFiles } from '../../formats/layout.ts';
import { openForAppend } from '../../formats/open-file-for-append.ts';
import { readText } from '../../formats/read-untrusted-files.ts';
import type { PluginFailure } from '../../process/call-plugin-code.ts';
import { withoutSecrets } from '../../process/redact-secrets.ts';

export interface ProblemLog {
  readonly add: (failure: PluginFailure) => void;
  /** Writes the problems that were added since the last call, either with `add` or directly to `problems`. */
  save(): Promise<void>;
}

export function problemLog(files: RunFiles, problems: readonly PluginFailure[]): ProblemLog {
  let logged: PluginFailure[] = [];
  let seen = 0;
  return {
    add: failure => {
      logged.push(failure);
    },
    async save() {
      const fresh = [...problems.slice(seen), ...logged];
      seen = problems.length;
      logged = [];
      const lines = fresh.map(
        ({ plugin, problem }) => `${JSON.stringify({ plugin, problem: withoutSecrets(problem) })}\n`,
      );
      // A failed write must not end the run.
      if (lines.length > 0) await append(files.pluginProblems, lines.join('')).catch(() => {});
    },
  };
}

async function append(file: string, text: string): Promise<void> {
  const handle = await openForAppend(file);
  try {
    await handle.appendFile(text);
  } finally {
    await handle.close();
  }
}

/** Reads the problems in the order in which they were found, each one once. */
export async function readProblems(files: RunFiles): Promise<PluginFailure[]> {
  const text = (await readText(files.pluginProblems).catch(unlessDiskFails(null))) ?? '';
  return [...new Set(text.split('\n'))].flatMap(line => {
    try {
      const { plugin, problem } = JSON.parse(line) as Partial<PluginFailure>;
      return plugin && problem ? [{ plugin, problem }] : [];
    } catch {
      return [];
    }
  });
}
