/** Creates a run that is ready to be driven. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { hasTmux } from '../agents/launchers/tmux-client.ts';
import { findCassette } from '../agents/rehearsal/find-cassette.ts';
import { runSetup } from '../core/policy/compose-run-settings.ts';
import { type Environment, keptEnvironment } from '../core/policy/environment-allowlist.ts';
import { agentRolesOf } from '../core/policy/pipeline/look-up-steps.ts';
import { newEnvironmentFolder, writeEnvironment } from '../core/run/launch/environment-variable-store.ts';
import { problemLog } from '../core/run/plugin-problem-log.ts';
import { newRunKey } from '../core/run/record/hmac-key.ts';
import { readDecisions, standingDecisions } from '../core/run/requests/standing-decisions.ts';
import { newRun, openJournal } from '../core/run/run-store.ts';
import { markCommandsSeen, unseenCommands } from '../core/run/seen-commands-and-used-projects.ts';
import { watchedFolders } from '../core/run/wake-signals.ts';
import { dureError } from '../errors.ts';
import type { RunOptions } from '../formats/config/run-options.ts';
import { exists } from '../formats/file-system/path-status.ts';
import { removeFolder } from '../formats/file-system/remove-folder.ts';
import type { ProjectFiles, RunFiles } from '../formats/layout.ts';
import type { MissingFiles } from '../formats/missing-after-set-up.ts';
import { replace } from '../formats/read-and-write-files.ts';
import type { Setup } from '../formats/state.ts';
import { projectConfig, unknownRoles } from '../plugins/config-sections.ts';
import type { Contributions } from '../plugins/load-contributions.ts';
import { type Base, dirtyFiles, resolveBase, snapshot } from '../workspace/base-and-snapshot-commits.ts';
import { filtersOf, gitPrograms } from '../workspace/git/configured-programs.ts';
import { openRepository } from '../workspace/git/open-repository.ts';
import { repositorySettingsFingerprints } from '../workspace/git/repository-settings-fingerprints.ts';
import type { Repository } from '../workspace/git/run-git.ts';
import { missingFiles } from '../workspace/missing-submodules-and-filters.ts';
import { findRules } from '../workspace/rules/find-rules.ts';
import { requireConsent, requireSandbox } from './check-consent-and-sandbox.ts';
import { backendForRole } from './choose-backend.ts';
import { expectLeaderCanDrive } from './expect-leader-can-drive.ts';

export interface StartRequest {
  readonly briefing: string;
  readonly base?: string | undefined;
  readonly backend?: string | undefined;
  /** Absolute path of a cassette for the rehearsal backend. Default: the project's own, if it has one. */
  readonly cassette?: string | undefined;
  readonly budget_usd?: number | null | undefined;
  /** Name of the pipeline. Default: the one in the configuration. */
  readonly pipeline?: string | undefined;
  readonly launcher: 'tmux' | 'process';
  readonly takeRecommendations: boolean;
  readonly includeChanges: boolean;
  /** Whether the user accepts all commands and decisions that are new or changed since the user last saw them. */
  readonly acceptCommands?: boolean;
  /** Environment of the calling shell. */
  readonly shell: Readonly<Record<string, string | undefined>>;
}

export interface StartedRun {
  readonly runId: string;
  readonly files: RunFiles;
  /** Uncommitted changes that are not in the base, so the agents do not see them. */
  readonly notIncluded: string[];
  /** Files of the base that the agents do not see; null if there are none. */
  readonly missing: MissingFiles | null;
  /** Whether nothing limits what the agents may cost. */
  readonly isUnlimited: boolean;
}

/**
 * Creates a run that is ready to be driven. Problems with the request or configuration are reported before anything is
 * created.
 */
export async function startRun(
  project: ProjectFiles,
  request: StartRequest,
  plugins: Contributions,
): Promise<StartedRun> {
  const plan = await planRun(project, request, plugins);
  const { id, files } = await createRun(project, request, plan, plugins);
  const { budget_usd, agents } = plan.setup;
  return {
    runId: id,
    files,
    notIncluded: plan.notIncluded,
    missing: plan.missing,
    isUnlimited: budget_usd === null && Object.values(agents.backends).some(name => name !== 'rehearsal'),
  };
}

interface RunPlan extends Pick<StartedRun, 'notIncluded' | 'missing'> {
  readonly repo: Repository;
  /** The commit that the run starts from; it may contain uncommitted changes. */
  readonly base: Base;
  readonly cassette: string | null;
  /** The part of the calling shell's environment that the run stores for its launches. */
  readonly kept: Environment;
  readonly setup: Setup;
}

async function planRun(
  project: ProjectFiles,
  request: StartRequest,
  plugins: Contributions,
): Promise<RunPlan> {
  if (request.briefing.trim() === '') throw dureError('E_BRIEFING_EMPTY');
  const config = await projectConfig(project, plugins);
  const unknown = unknownRoles(config.global, plugins.roles);
  if (unknown.length > 0) throw dureError('E_CONFIG', { problems: unknown.join('\n') });
  const plan = runSetup({
    config,
    roles: plugins.roles,
    pipelines: plugins.pipelines,
    request,
    decisions: await standingDecisions(project),
  });
  const kept = keptEnvironment(request.shell, plugins.backends);
  const choice = { config, backends: plugins.backends, asked: request.backend ?? null };
  const roles = agentRolesOf(plan);
  const backends = roles.map(role => backendForRole(choice, role));
  const agents = {
    backends: Object.fromEntries(roles.map((role, i) => [role, backends[i]!.name])),
    allow_bypass: config.global.allow_bypass,
  };
  requireConsent(backends, kept, config);
  await requireSandbox(kept, config.global.sandbox);
  if (request.launcher === 'tmux' && !hasTmux())
    throw dureError('E_TMUX', { why: 'tmux 3.0 or newer was not found on PATH' });
  const cassette =
    request.cassette ??
    (backends.some(({ name }) => name === 'rehearsal') ? await cassetteOf(project) : null);
  if (cassette !== null) await findCassette(cassette);
  const repo = await openRepository(project.root, project.shadow);
  const base = await resolveBase(repo, request.base ?? null);
  const dirty = await dirtyFiles(repo);
  const commit = request.includeChanges && dirty.length > 0 ? await snapshot(repo, base.commit) : base.commit;
  const rules = await findRules(repo, commit, config.global);
  const servers = rules?.mcp?.servers ?? {};
  const decisions = await readDecisions(project, plan.decisions);
  const commands = request.acceptCommands
    ? ''
    : await unseenCommands(project.root, config, servers, decisions);
  if (commands !== '') throw dureError('E_COMMANDS_CHANGED', { commands });
  await markCommandsSeen(project.root, config, servers, decisions);
  const programs = await gitPrograms(repo);
  const missing = await missingFiles({ ...repo, filters: filtersOf(programs) }, commit);
  return {
    repo,
    base: { ...base, commit },
    notIncluded: request.includeChanges ? [] : dirty,
    missing,
    cassette,
    kept,
    setup: {
      ...plan,
      agents,
      ...(rules && { rules }),
      ...(missing && { missing_files: missing }),
      git: programs,
    },
  };
}

async function createRun(
  project: ProjectFiles,
  request: StartRequest,
  { repo, base, cassette, kept, setup }: RunPlan,
  plugins: Contributions,
): Promise<{ id: string; files: RunFiles }> {
  const key = await newRunKey(project.root);
  await expectLeaderCanDrive(project, key.id);
  const { id, files } = await newRun(project, new Date());
  const options: RunOptions = {
    base: base.commit,
    base_name: base.name,
    branch: base.branch,
    backend: request.backend ?? null,
    cassette,
    budget_usd: request.budget_usd ?? null,
    environment: await newEnvironmentFolder(files),
    launcher: request.launcher,
    take_recommendations: request.takeRecommendations,
    shadow: repo.shadow,
  };
  try {
    for (const folder of watchedFolders(files, setup)) await mkdir(folder, { recursive: true });
    const briefing = request.briefing.endsWith('\n') ? request.briefing : `${request.briefing}\n`;
    await replace(files.raw, briefing);
    if (!isRefined(files, setup)) await replace(files.refined, briefing);
    await writeEnvironment(options.environment, files, kept);
    // A role that is missing now stays missing for the whole run, so the reason is stored in the run folder.
    await problemLog(files, plugins.problems).save();
    const journal = await openJournal(files);
    await journal.append({
      at: new Date().toISOString(),
      type: 'run.started',
      run_id: id,
      base: base.commit,
      briefing,
      options,
      repository: await repositorySettingsFingerprints(repo, project, id),
      setup,
      key: key.id,
    });
  } catch (error) {
    // Without its first event the folder is not a run, and nothing could continue it.
    await removeFolder(files.dir).catch(() => {});
    throw error;
  }
  return { id, files };
}

/** Returns the default cassette of the rehearsal backend: the project's own, or the embedded one. */
const cassetteOf = async ({ cassette }: ProjectFiles): Promise<string> =>
  (await exists(cassette)) ? cassette : 'default';

/** Whether a step refines the briefing. If not, the Builder gets the briefing as the user wrote it. */
const isRefined = (files: RunFiles, { pipeline }: Setup): boolean =>
  pipeline.some(step => step.outputs.some(output => join(files.dir, output) === files.refined));
