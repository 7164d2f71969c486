/**
 * Short ways to answers that scripts and shells ask for all the time. Only what is as it should be is answered here:
 * anything else, and every mistake, takes the long way, which knows how to say it.
 */
import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findRun, standing } from '../core/run-store.ts';
import { RUN_ID } from '../formats/layout.ts';
import type { KnownCommand } from '../terminal/complete.ts';
import { completedLines } from '../terminal/completed-lines.ts';
import { jsonSuccess, jsonText } from '../terminal/json-said.ts';
import { statusResult } from '../terminal/status-result.ts';
import { speak } from '../words/cli/words.ts';
import { findProject } from '../written.ts';
import { written } from './written-out.ts';

/** False when the long way has to be taken; then nothing has been printed. */
export async function answered(root: string, argv: readonly string[]): Promise<boolean> {
  const [command, ...rest] = argv;
  await speak();
  const text = await (command === 'status' ? status(rest) : completion(root, rest)).catch(() => null);
  if (text !== null) written(text);
  return text !== null;
}

async function status(argv: readonly string[]): Promise<string | null> {
  const [id, ...more] = argv.filter(word => word !== '--json');
  const known = argv.length - more.length - (id === undefined ? 0 : 1) === 1 && more.length === 0;
  if (!known || (id !== undefined && !RUN_ID.test(id))) return null;
  const files = await findRun(await findProject(process.cwd()), id);
  const [stands, ...others] = await Promise.all([
    standing(files),
    isThere(files.origin),
    isThere(files.pluginProblems),
  ]);
  if (!stands || others.includes(true)) return null;
  return jsonText(jsonSuccess(statusResult(stands.state, stands.driven, null)));
}

const isThere = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  );

async function completion(root: string, argv: readonly string[]): Promise<string> {
  const { commands } = JSON.parse(await readFile(join(root, 'oclif.manifest.json'), 'utf8')) as {
    commands: Record<string, KnownCommand>;
  };
  return completedLines(argv, Object.values(commands));
}
