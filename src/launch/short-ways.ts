/**
 * Short ways to what people, scripts and shells ask for all the time. Only what is as it should be is answered here:
 * anything else, and every mistake, takes the long way, which knows how to say it.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findRun, readEvents, type Standing, standing } from '../core/run-store.ts';
import { type ProjectFiles, RUN_ID, type RunFiles } from '../formats/layout.ts';
import type { KnownCommand } from '../terminal/complete.ts';
import { completedLines } from '../terminal/completed-lines.ts';
import { followsByItself } from '../terminal/follows-by-itself.ts';
import { jsonSuccess, jsonText } from '../terminal/json-said.ts';
import { statusResult } from '../terminal/status-result.ts';
import { speak } from '../words/cli/words.ts';
import { findProject } from '../written.ts';
import { written } from './written-out.ts';

/** What is printed, or null when the long way has to be taken. */
type Way = (argv: readonly string[], root: string) => Promise<string | null>;

/** False when the long way has to be taken; then nothing has been printed. */
export async function answered(root: string, argv: readonly string[]): Promise<boolean> {
  const [command = '', ...rest] = argv;
  await speak();
  const text = (await WAYS[command]?.(rest, root).catch(() => null)) ?? null;
  if (text !== null) written(text);
  return text !== null;
}

interface Chosen {
  readonly json: boolean;
  readonly project: ProjectFiles;
  readonly files: RunFiles;
  readonly stands: Standing;
}

/** `[RUN] [--json]` in any order. */
async function chosen(argv: readonly string[]): Promise<Chosen | null> {
  const json = argv.includes('--json');
  const [id, ...more] = argv.filter(word => word !== '--json');
  if (argv.length > (json ? 2 : 1) || more.length > 0 || (id !== undefined && !RUN_ID.test(id))) return null;
  const project = await findProject(process.cwd());
  const files = await findRun(project, id);
  const stands = await standing(files);
  return stands && { json, project, files, stands };
}

const WAYS: Record<string, Way> = {
  async status(argv) {
    const run = await chosen(argv);
    if (!run || isSpecial(run.files)) return null;
    const { state, driven } = run.stands;
    return run.json ? said(statusResult(state, driven, null)) : (await shown()).statusShown(run.files, state);
  },

  async history(argv) {
    const json = argv.length === 1 && argv[0] === '--json';
    const [flag, limit = ''] = argv;
    const limited = argv.length === 2 && /^(-n|--limit)$/.test(flag!) && /^[1-9]\d{0,4}$/.test(limit);
    if (argv.length > 0 && !json && !limited) return null;
    const project = await findProject(process.cwd());
    const { history, historyShown } = await shown();
    const runs = await history(project, limited ? Number(limit) : undefined);
    return json ? said({ runs }) : historyShown(runs);
  },

  async logs(argv) {
    const run = await chosen(argv);
    if (!run || followsByItself(run.stands.state, run.json)) return null;
    const events = await readEvents(run.files);
    const { run_id } = run.stands.state;
    return run.json ? said({ run_id, events }) : (await shown()).logShown(run.project, events);
  },

  async __complete(argv, root) {
    const { commands } = JSON.parse(readFileSync(join(root, 'oclif.manifest.json'), 'utf8')) as {
      commands: Record<string, KnownCommand>;
    };
    return completedLines(argv, Object.values(commands));
  },
};

const said = (result: object): string => jsonText(jsonSuccess(result));

/** What is made for eyes takes longer to load. */
const shown = () => import('./shown.ts');

/** There is more to say of a run that was brought over, or that plugins failed. */
const isSpecial = (files: RunFiles): boolean =>
  [files.origin, files.pluginProblems].some(file => existsSync(file));
