/** Words that can stand where oclif knows no list of them. Nothing here loads a plugin or the schema library. */
import { newestIds, standing } from '../core/run-store.ts';
import { type ProjectFiles, RUN_ID, runFiles } from '../formats/layout.ts';
import { SETTINGS } from '../formats/setting-names.ts';
import { words } from '../words/cli/words.ts';
import { findProject } from '../written.ts';
import type { Candidate, KnownWords } from './complete.ts';
import { phaseWord } from './words.ts';

const RUNS_SHOWN = 50;
/** Those that come with Dure: to hear of others, plugins would have to be started. */
export const BACKENDS = ['claude', 'rehearsal'];

/** `line` are the words that stand there already. */
export function knownWords(line: readonly string[], plugins: readonly Candidate[]): KnownWords {
  const installed = async () => plugins;
  return {
    run: async () => {
      const project = await here();
      return project ? runsOf(project) : [];
    },
    key: async () => SETTINGS,
    value: async () => [],
    backend: async () => BACKENDS.map(name => [name, ''] as const),
    agent: async () => {
      const project = await here();
      const run = line.find(word => RUN_ID.test(word)) ?? (project && newestIds(project, 1)[0]);
      return project && run ? agentsOf(project, run) : [];
    },
    'plugins:inspect.plugin': installed,
    'plugins:uninstall.plugin': installed,
  };
}

const here = (): Promise<ProjectFiles | null> => findProject(process.cwd()).catch(() => null);
const stateOf = async (project: ProjectFiles, id: string) =>
  (await standing(runFiles(project.run(id))).catch(() => null))?.state;

async function runsOf(project: ProjectFiles): Promise<Candidate[]> {
  const ids = newestIds(project, RUNS_SHOWN);
  const states = await Promise.all(ids.map(id => stateOf(project, id)));
  return ids.map((id, i) => [id, phaseWord(states[i]?.phase ?? 'unreadable')]);
}

/** Those that have been started, for only they have said something. */
async function agentsOf(project: ProjectFiles, id: string): Promise<Candidate[]> {
  const { agents = {} } = (await stateOf(project, id)) ?? {};
  return Object.entries(agents).flatMap(([role, { launch = 0, status }]) =>
    launch > 0 ? [[role, words().status(status)] as const] : [],
  );
}
