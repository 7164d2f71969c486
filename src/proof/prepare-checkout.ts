/**
 * Creates a checkout of a sealed commit that is ready for tests: files in place, dependencies installed. A failed
 * set-up is returned as a value, because the result may have caused it; a failure of git is thrown.
 */
import { delimiter, join } from 'node:path';
import type { WorkspaceJob } from '../formats/checkout-setup-in-job.ts';
import { leadsOutside } from '../formats/file-system/path-containment.ts';
import { type Confinement, findSandbox } from '../process/sandbox/find-sandbox.ts';
import { pathWithoutRepository } from '../process/sandbox/path-without-repository.ts';
import { makeCheckout } from '../workspace/checkout.ts';
import { installDependencies, rebuilding } from '../workspace/dependencies/install-dependencies.ts';
import { goBuildCache } from './go-build-cache.ts';
import type { TestPlace } from './test-environment.ts';

export interface CheckoutFor {
  readonly workspace: WorkspaceJob;
  readonly runDir: string;
  readonly launch: number;
  /** Distinguishes several checkouts of one launch. */
  readonly part?: string;
  readonly commit: string;
  /** The environment of the user who started Dure. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  /** Receives the output of the set-up. */
  readonly onOutput: (chunk: Buffer) => void;
}

export interface PreparedCheckout {
  readonly place: TestPlace;
  /** What tests and checks may read and write. The user's working tree is hidden. */
  readonly confinement: Confinement;
  /** Why the set-up failed; null when it succeeded. */
  readonly problem: string | null;
  /** The builds that failed, if nothing else did. */
  readonly failedBuilds: readonly string[];
  /**
   * Rebuilds what the set-up built from the sources, and returns the problem, if any. Null if there is nothing to
   * rebuild.
   */
  readonly rebuild: ((signal: AbortSignal) => Promise<string | null>) | null;
  /** Requirements that the set-up could not install, because they are not available. */
  readonly missing: readonly string[];
}

export async function prepareCheckout(wanted: CheckoutFor): Promise<PreparedCheckout> {
  const { workspace, env, signal, onOutput } = wanted;
  const { repository, network } = workspace;
  const top = await makeCheckout({
    repo: repository,
    state: workspace.state,
    runDir: wanted.runDir,
    launch: wanted.launch,
    ...(wanted.part !== undefined && { part: wanted.part }),
    commit: wanted.commit,
    projectRoot: workspace.project,
    copy: workspace.copy,
  });
  const directory = join(repository.prefix, workspace.directory);
  const tools = await pathWithoutRepository(env['PATH'], repository.workTree);
  const installation = workspace.setup !== null && {
    checkout: top,
    directory,
    command: workspace.setup,
    env: { ...env, PATH: tools.join(delimiter) },
    sandbox: await findSandbox(env),
    stateFolder: workspace.state,
    onOutput,
    signal,
  };
  const installed = installation ? await installDependencies(installation) : NOTHING;
  const cwd = join(top, directory);
  // Dure itself writes to this folder, outside the sandbox.
  const outside = leadsOutside(top, cwd) ? `${directory} is outside the repository` : null;
  const { readable, bin, failedBuilds, missing } = installed;
  const place = { top, cwd, bin, tools, variables: installed.env };
  const confinement = { writable: [top], readable, hidden: [repository.workTree], network };
  const problem = installed.problem ?? outside;
  const links =
    problem === null
      ? await goBuildCache({
          place,
          confinement,
          repository,
          env,
          signal,
          onOutput,
          commit: wanted.commit,
          stateFolder: workspace.state,
        })
      : null;
  return {
    place,
    confinement: links
      ? { ...confinement, readable: [...readable, links.from], homeLinks: [links] }
      : confinement,
    problem,
    failedBuilds,
    rebuild: installation && problem === null ? await rebuilding(installation) : null,
    missing,
  };
}

/** The outcome when no set-up is configured. */
const NOTHING = { problem: null, failedBuilds: [], missing: [], bin: [], env: {}, readable: [] };
