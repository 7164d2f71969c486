/**
 * Checks whether a run would work here, by doing what a run does, with the same code. `quick` skips steps that are slow
 * or use the network: set-up, checks, and backend requests.
 */
import { tmpdir } from 'node:os';
import { runSetup } from '../core/policy/compose-run-settings.ts';
import { keptEnvironment } from '../core/policy/environment-allowlist.ts';
import { agentRolesOf } from '../core/policy/pipeline/look-up-steps.ts';
import { requireConsent, requireSandbox } from '../daemon/check-consent-and-sandbox.ts';
import { backendForRole } from '../daemon/choose-backend.ts';
import { dureError } from '../errors.ts';
import { type Config, roleSettings } from '../formats/config/config.ts';
import type { ProjectFiles } from '../formats/layout.ts';
import { projectConfig, unknownRoles } from '../plugins/config-sections.ts';
import type { Contributions } from '../plugins/load-contributions.ts';
import { resolveBase } from '../workspace/base-and-snapshot-commits.ts';
import { filtersOf, gitPrograms } from '../workspace/git/configured-programs.ts';
import { openRepository } from '../workspace/git/open-repository.ts';
import type { Repository } from '../workspace/git/run-git.ts';
import { stateFolder } from '../workspace/user-state-folder.ts';
import { type BackendUse, examineBackend } from './examine-backend.ts';
import {
  examineDisk,
  examineFolders,
  examineGit,
  examineSandbox,
  examineTmux,
  examineUnusedSandbox,
  examineWatches,
} from './examine-machine.ts';
import { examineIgnoreLines, examineRules, examineSettings } from './examine-project-files.ts';
import { examineFilters, examineIdentity, examineStart, examineSubmodules } from './examine-repository.ts';
import { attempt, type Finding, type ReportFinding } from './finding.ts';
import { type Begin, examineBase } from './try-base-commit.ts';

export interface Examination {
  readonly project: ProjectFiles;
  readonly plugins: Contributions;
  /** Environment of the calling shell. */
  readonly shell: Readonly<Record<string, string | undefined>>;
  readonly quick: boolean;
  readonly signal: AbortSignal;
  readonly report: ReportFinding;
  readonly begin: Begin;
}

export async function examineProject(examination: Examination): Promise<void> {
  const { project, plugins, shell, quick, signal, report } = examination;
  const kept = keptEnvironment(shell, plugins.backends);
  /** Reports what an examination finds. */
  const examine = async (name: string, work: () => Promise<Finding | readonly Finding[]>): Promise<void> => {
    const found = await attempt(name, report, work);
    for (const one of [found ?? []].flat()) report(one);
  };
  const git = await attempt('git', report, examineGit);
  if (git) report(git);
  await examine('tmux', examineTmux);
  await examine('sandbox', () => examineSandbox(kept));
  await examine('file-watching', examineWatches);
  const config = await attempt('settings', report, () => configOf(examination));
  if (config) {
    const backends = (await attempt('backend', report, () => backendsOf(examination, config))) ?? [];
    await attempt('consent', report, () =>
      requireConsent(
        backends.map(({ backend }) => backend),
        kept,
        config,
      ),
    );
    await attempt('sandbox', report, () => requireSandbox(kept, config.global.sandbox));
    if (
      config.global.sandbox.mode === 'off' &&
      backends.some(({ backend }) => backend.needsConsent !== false)
    )
      await examine('agent-sandbox', () => examineUnusedSandbox(kept));
    for (const one of backends)
      await examine(one.backend.name, () => examineBackend(one, kept, !quick, signal));
  }
  await examine('ignore-lines', () => examineIgnoreLines(project.root));
  if (!git) return;
  await examine('settings', () => examineSettings(project));
  const repo = await attempt('base', report, () => repositoryOf(examination));
  const base = repo && (await attempt('base', report, () => resolveBase(repo, null)));
  const state = repo && (await attempt('state-folder', report, () => stateFolder(repo.workTree)));
  await examine('folders', () =>
    examineFolders([
      project.runs,
      project.server,
      project.calls,
      ...(repo ? [repo.commonDir] : []),
      ...(state ? [state] : []),
    ]),
  );
  await examine('disk', () => examineDisk([project.root, tmpdir(), ...(state ? [state] : [])]));
  if (!repo || !base) return;
  const { commit } = base;
  await examine('base', async () => examineStart(repo, base));
  await examine('identity', () => examineIdentity(repo));
  await examine('submodules', () => examineSubmodules(repo, commit));
  await examine('filters', () => examineFilters(repo, commit));
  if (!config) return;
  await examine('rules', () => examineRules(repo, commit, config.global));
  const setup = await attempt('pipeline', report, () => setupOf(examination, config));
  if (quick || !setup || !state) return;
  await attempt('set-up', report, () =>
    examineBase({ project, repo, commit, setup, state, kept, signal }, report, examination.begin),
  );
}

/** Uses the current filters, as at the start of a run. */
async function repositoryOf({ project }: Examination): Promise<Repository> {
  const repo = await openRepository(project.root, project.shadow);
  return { ...repo, filters: filtersOf(await gitPrograms(repo)) };
}

async function configOf({ project, plugins }: Examination): Promise<Config> {
  const config = await projectConfig(project, plugins);
  const unknown = unknownRoles(config.global, plugins.roles);
  if (unknown.length > 0) throw dureError('E_CONFIG', { problems: unknown.join('\n') });
  return config;
}

const setupOf = ({ plugins: { roles, pipelines } }: Examination, config: Config) =>
  runSetup({ config, roles, pipelines, request: { takeRecommendations: false }, decisions: {} });

/** Returns each backend with the model of the first role that uses it. */
function backendsOf(of: Examination, config: Config): BackendUse[] {
  const { roles, backends } = of.plugins;
  const all = agentRolesOf(setupOf(of, config)).map(role => ({
    backend: backendForRole({ config, backends, asked: null }, role),
    model: roleSettings(config, role).model ?? roles.find(({ name }) => name === role)?.model ?? 'sonnet',
  }));
  return all.filter(({ backend }, at) => all.findIndex(one => one.backend === backend) === at);
}
