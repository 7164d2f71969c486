/** Completion candidates for values that oclif cannot list. Loads neither plugins nor the schema library. */
import { findNamedRun, newestIds, runStatus } from '../../core/run/run-store.ts';
import { SETTINGS } from '../../formats/config/setting-names.ts';
import { type ProjectFiles, runFiles, runIdOf } from '../../formats/layout.ts';
import { words } from '../../words/cli/load-language.ts';
import { findProject } from '../../workspace/project/find-project.ts';
import { phaseWord } from '../format-times-and-costs.ts';
import type { Candidate, KnownWords } from './complete-command-line.ts';

const RUNS_SHOWN = 50;
/** Contains only the built-in names: to list those from plugins, Dure would have to start the plugins. */
const BACKENDS = ['claude', 'rehearsal'];

const PIPELINES = ['full', 'quick'];

/** `line`: the words already typed. */
export function completionSources(line: readonly string[], plugins: readonly Candidate[]): KnownWords {
  const installed = async () => plugins;
  return {
    run: async () => {
      const project = await here();
      return project ? runsOf(project) : [];
    },
    key: async () => SETTINGS,
    value: async () => [],
    backend: async () => BACKENDS.map(name => [name, ''] as const),
    pipeline: async () => PIPELINES.map(name => [name, ''] as const),
    agent: async () => {
      const project = await here();
      const run = project && (await runNamedIn(project, line));
      return project && run ? agentsOf(project, run) : [];
    },
    'plugins:inspect.plugin': installed,
    'plugins:uninstall.plugin': installed,
  };
}

const here = (): Promise<ProjectFiles | null> => findProject(process.cwd()).catch(() => null);
const stateOf = async (project: ProjectFiles, id: string) =>
  (await runStatus(runFiles(project.run(id))).catch(() => null))?.state;

async function runsOf(project: ProjectFiles): Promise<Candidate[]> {
  const ids = newestIds(project, RUNS_SHOWN);
  const states = await Promise.all(ids.map(id => stateOf(project, id)));
  return ids.map((id, i) => [id, phaseWord(states[i]?.phase ?? 'unreadable')]);
}

/** The run that one of the words names, as commands understand it; otherwise the newest. */
async function runNamedIn(project: ProjectFiles, line: readonly string[]): Promise<string | undefined> {
  const named = await Promise.all(line.map(word => findNamedRun(project, word).catch(() => null)));
  const files = named.find(each => each !== null);
  return files ? runIdOf(files) : newestIds(project, 1)[0];
}

/** Lists only roles that have been started, because the others have no output to show. */
async function agentsOf(project: ProjectFiles, id: string): Promise<Candidate[]> {
  const { agents = {} } = (await stateOf(project, id)) ?? {};
  return Object.entries(agents).flatMap(([role, { launch = 0, status }]) =>
    launch > 0 ? [[role, words().status(status)] as const] : [],
  );
}
