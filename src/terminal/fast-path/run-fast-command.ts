/**
 * The fast path for completion and `status --json`, which shells and scripts call often. Only successful calls are
 * answered here; errors and everything else are left to the command.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findRun, runStatus } from '../../core/run/run-store.ts';
import { RUN_ID } from '../../formats/layout.ts';
import { successOutput } from '../../formats/output/json-envelope.ts';
import { readText } from '../../formats/read-untrusted-files.ts';
import { jsonText } from '../../formats/schema/strict-json.ts';
import { packageRoot } from '../../process/package-paths-and-version.ts';
import { loadLanguage } from '../../words/cli/load-language.ts';
import { findProject } from '../../workspace/project/find-project.ts';
import type { KnownCommand } from '../completion/complete-command-line.ts';
import { completionOutput } from '../completion/completion-output.ts';
import { statusResult } from '../runs/status-json.ts';

/** The output, or null if the command has to run. */
export async function answer(
  command: '__complete' | 'status',
  argv: readonly string[],
): Promise<string | null> {
  await loadLanguage();
  return (command === 'status' ? status(argv) : completion(argv)).catch(() => null);
}

/** Accepts `[RUN] --json` in any order. */
async function status(argv: readonly string[]): Promise<string | null> {
  const [id, ...more] = argv.filter(word => word !== '--json');
  if (argv.length > 2 || more.length > 0 || (id !== undefined && !RUN_ID.test(id))) return null;
  const files = await findRun(await findProject(process.cwd()), id);
  // The command prints more for an imported run and for a run with plugin problems.
  if ([files.origin, files.pluginProblems].some(file => existsSync(file))) return null;
  const run = await runStatus(files);
  if (!run) return null;
  const { state, driven } = run;
  const briefing = (await readText(files.raw).catch(() => null)) ?? '';
  const result = statusResult({ state, driven, origin: null, briefing }, Date.now());
  return jsonText(successOutput(result));
}

async function completion(argv: readonly string[]): Promise<string> {
  const manifest = readFileSync(join(packageRoot, 'oclif.manifest.json'), 'utf8');
  const { commands } = JSON.parse(manifest) as { commands: Record<string, KnownCommand> };
  return completionOutput(argv, Object.values(commands));
}
