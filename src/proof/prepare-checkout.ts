/**
 * A checkout of a sealed commit that is ready for tests: files in place, dependencies installed. What goes wrong with the
 * set-up is a value, for it says something of the result; what goes wrong with git is an error.
 */
import { delimiter, join } from 'node:path';
import type { WorkspaceJob } from '../formats/workspace-job.ts';
import { type Confinement, findSandbox } from '../process/sandbox.ts';
import { toolPath } from '../process/tool-path.ts';
import { makeCheckout } from '../workspace/checkout.ts';
import { installDependencies } from '../workspace/dependencies/install.ts';
import type { Place } from './environment.ts';

export interface CheckoutFor {
  readonly workspace: WorkspaceJob;
  readonly runDir: string;
  readonly launch: number;
  /** Tells several checkouts of one launch apart. */
  readonly part?: string;
  readonly commit: string;
  /** The environment of the person. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  /** Hears what the set-up prints. */
  readonly onOutput: (chunk: Buffer) => void;
}

export interface PreparedCheckout {
  readonly place: Place;
  /** What tests and checks may see and do there. Nothing of the person's own checkout is in it. */
  readonly confinement: Confinement;
  /** Why the set-up failed; null when it did not. */
  readonly problem: string | null;
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
  const tools = await toolPath(env['PATH'], repository.workTree);
  const installed =
    workspace.setup === null
      ? NOTHING
      : await installDependencies({
          checkout: top,
          directory,
          command: workspace.setup,
          env: { ...env, PATH: tools.join(delimiter) },
          sandbox: await findSandbox(env),
          stateFolder: workspace.state,
          onOutput,
          signal,
        });
  return {
    place: { top, cwd: join(top, directory), bin: installed.bin, tools, variables: installed.env },
    confinement: { writable: [top], readable: installed.readable, hidden: [repository.workTree], network },
    problem: installed.problem,
  };
}

/** Where there is no set-up. */
const NOTHING = { problem: null, bin: [], env: {}, readable: [] };
