/**
 * A checkout of a sealed commit that is ready for tests: files in place, dependencies installed. What goes wrong with the
 * set-up is a value, for it says something of the result; what goes wrong with git is an error.
 */
import { join } from 'node:path';
import type { WorkspaceJob } from '../formats/workspace-job.ts';
import { runCommand } from '../process/run-command.ts';
import { findSandbox } from '../process/sandbox.ts';
import { toolPath } from '../process/tool-path.ts';
import { makeCheckout } from '../workspace/checkout.ts';
import { type Place, testEnvironment } from './environment.ts';

export interface CheckoutFor {
  readonly workspace: WorkspaceJob;
  readonly runDir: string;
  readonly launch: number;
  readonly commit: string;
  /** The environment of the person. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  /** Hears what the set-up prints. */
  readonly onOutput: (chunk: Buffer) => void;
}

export interface PreparedCheckout {
  readonly place: Pick<Place, 'top' | 'cwd' | 'tools'>;
  /** Why the set-up failed; null when it did not. */
  readonly problem: string | null;
}

export async function prepareCheckout(wanted: CheckoutFor): Promise<PreparedCheckout> {
  const { workspace, env } = wanted;
  const top = await makeCheckout({
    repo: workspace.repository,
    state: workspace.state,
    runDir: wanted.runDir,
    launch: wanted.launch,
    commit: wanted.commit,
    projectRoot: workspace.project,
    copy: workspace.copy,
  });
  const cwd = join(top, workspace.repository.prefix, workspace.directory);
  const tools = await toolPath(env['PATH'], workspace.repository.workTree);
  const place = { top, cwd, tools };
  return { place, problem: workspace.setup === null ? null : await setUp(workspace.setup, place, wanted) };
}

/** Milliseconds that installing the dependencies may take. */
const SET_UP_MS = 900_000;
const GRACE_MS = 2000;

async function setUp(
  command: string,
  place: PreparedCheckout['place'],
  { workspace, env, signal, onOutput }: CheckoutFor,
): Promise<string | null> {
  const ended = await runCommand({
    command,
    cwd: place.cwd,
    env: testEnvironment(place, env),
    timeout_ms: SET_UP_MS,
    grace_ms: GRACE_MS,
    signal,
    sandbox: await findSandbox(env),
    confinement: {
      writable: [place.top],
      readable: [],
      hidden: [workspace.repository.workTree],
      network: true,
    },
    onOutput: (_from, chunk) => onOutput(chunk),
  });
  signal.throwIfAborted();
  if (ended.timedOut) return `${command} did not end within ${SET_UP_MS / 60_000} minutes`;
  if (ended.exit_code === 0) return null;
  return `${command} ended with ${ended.exit_code ?? ended.signal ?? ended.spawnError}`;
}
