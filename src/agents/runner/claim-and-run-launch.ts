/**
 * The runner, in a pane or detached: claims one launch, runs it to completion and records the outcome. A launch
 * runs once: the runner that creates its claim file runs it; any other exits immediately.
 *
 * Every agent waits for this program to load, so it must load quickly: no schemas, and the proof only on demand.
 */
import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import { minimalExit } from '../../formats/build-minimal-exit.ts';
import { expectRoom } from '../../formats/file-system/free-space.ts';
import {
  type DiskFault,
  diskFault,
  untilDiskWorks,
} from '../../formats/file-system/temporary-disk-errors.ts';
import type { Claim, Exit, ExitRecord, LaunchSpec } from '../../formats/launch.ts';
import { runFiles } from '../../formats/layout.ts';
import { create, readText, replaceJson } from '../../formats/read-and-write-files.ts';
import { parseJson } from '../../formats/schema/strict-json.ts';
import { sha256 } from '../../formats/text/sha256.ts';
import { ownIdentity } from '../../process/identity.ts';
import { learnSecrets } from '../../process/redact-secrets.ts';
import { NO_USAGE, usageOf } from '../streams/session-usage.ts';
import type { ClaimedLaunch } from './claimed-launch-interface.ts';
import { outcomeOfLaunch } from './determine-launch-outcome.ts';
import { paneOutput } from './pane-output.ts';
import { runAgent } from './run-agent.ts';
import { checksAhead } from './start-checks-ahead.ts';

export interface RunnerEnvironment {
  readonly stdout: Writable;
  /** Aborted to stop the launch. */
  readonly stopSignal?: AbortSignal;
  /** Kills leftover processes of the launch before its end is recorded. */
  readonly killLeftovers?: () => void;
}

/**
 * Returns the runner's exit status: 0 if the launch succeeded, waits for an answer or was claimed by another runner;
 * otherwise 1.
 */
export async function runLaunch(runDir: string, n: number, environment: RunnerEnvironment): Promise<number> {
  const files = runFiles(runDir);
  const screen = paneOutput(environment.stdout);
  const stopSignal = environment.stopSignal ?? new AbortController().signal;
  // The driver writes this file atomically and with this type, so it is not validated again.
  const spec = parseJson((await readText(files.launch(n))) ?? 'null') as LaunchSpec | null;
  if (spec === null) {
    screen.print(`There is no launch ${n} in ${runDir}.`);
    return 1;
  }
  const token = randomUUID();
  const runner = { ...ownIdentity(), token_hash: sha256(token) };
  const claim: Claim = { launch: n, runner, claimed_at: new Date().toISOString() };
  if (!(await create(files.claim(n), `${JSON.stringify(claim)}\n`))) {
    screen.print(`Launch ${n} was already claimed.`);
    return 0;
  }
  screen.print(`── ${spec.role} · ${spec.step} · ${spec.backend} · launch ${n} ──`);
  const exit = await runClaimed({ runDir, spec, screen, stopSignal });
  environment.killLeftovers?.();
  const record: ExitRecord = { ...exit, token };
  await untilDiskWorks(() => replaceJson(files.exit(n), record));
  screen.print(`── ${exit.outcome}${exit.outcome === 'error' ? ` (${exit.kind}): ${exit.message}` : ''} ──`);
  return exit.outcome === 'ok' || exit.outcome === 'deferred' ? 0 : 1;
}

/** Runs a claimed launch, unless the launch was withdrawn while it was being claimed or its environment is gone. */
async function runClaimed(claimed: Omit<ClaimedLaunch, 'env'>): Promise<Exit> {
  const { runDir, spec } = claimed;
  const env = await takeEnvironment(spec.environment);
  if ((await readText(runFiles(runDir).launch(spec.launch))) === null) return withdrawn(spec);
  if (env === null) return { ...withdrawn(spec), ...ENVIRONMENT_DELETED };
  const run = await RUN[spec.stream]();
  return run({ ...claimed, env });
}

/**
 * Reads the environment and deletes it from disk as soon as possible. Returns null if it has already been deleted, for
 * example because the run is over.
 */
async function takeEnvironment(file: string): Promise<Record<string, string> | null> {
  const text = await readText(file);
  if (text === null) return null;
  await rm(file, { force: true });
  const env = parseJson(text) as Record<string, string>;
  learnSecrets(env);
  return env;
}

/** How a launch ends if its environment was deleted. The next launch gets a new one. */
const ENVIRONMENT_DELETED = {
  outcome: 'error',
  kind: 'crash',
  message: 'the environment of this launch was deleted',
} as const;

/** The usage of an agent that did not run. */
const UNUSED = usageOf(NO_USAGE);

const withdrawn = ({ launch }: LaunchSpec): Exit => ({
  ...minimalExit(launch, {
    outcome: 'stopped',
    kind: null,
    message: 'the launch was withdrawn before the agent began',
  }),
  usage: UNUSED,
});

async function runAgentLaunch(claimed: ClaimedLaunch): Promise<Exit> {
  const { runDir, spec, stopSignal } = claimed;
  const checksEnv = spec.checks_environment ? await takeEnvironment(spec.checks_environment) : null;
  const background = checksAhead(runDir, spec.launch, checksEnv, stopSignal);
  const ending = await runAgent(claimed, background);
  await background.ended();
  const { summary } = ending;
  const outcome = outcomeOfLaunch(ending);
  const fault = mayBeDiskFault(outcome) ? await diskFaultOf(runDir) : null;
  return {
    launch: spec.launch,
    code: ending.code,
    signal: ending.signal,
    ...outcome,
    ...(fault && { outcome: 'disk-full' as const, message: `when the agent ended: ${fault.why}` }),
    session: summary.session ?? spec.session,
    question: summary.deferred,
    usage: ending.startFailure ? UNUSED : summary.usage,
    session_cost_usd: summary.session_cost_usd,
    ended_at: new Date(ending.now).toISOString(),
  };
}

/**
 * Whether a full or read-only disk may be the reason why the agent ended without its result. Agents that cannot write
 * often end as if nothing had happened.
 */
const mayBeDiskFault = ({ outcome }: Pick<Exit, 'outcome'>): boolean =>
  outcome === 'ok' || outcome === 'error';

/** Null if the cause is not the disk but, for example, a lack of memory; the user is then asked. */
const diskFaultOf = (runDir: string): Promise<DiskFault | null> =>
  expectRoom(runFiles(runDir).launches).then(() => null, diskFault);

/** The function that runs a launch, keyed by the launch's stream. Dure's own launches are loaded on demand. */
const RUN: Record<LaunchSpec['stream'], () => Promise<(claimed: ClaimedLaunch) => Promise<Exit>>> = {
  claude: async () => runAgentLaunch,
  text: async () => runAgentLaunch,
  setup: async () => (await import('./run-setup-launch.ts')).runSetupLaunch,
  proof: async () => (await import('./run-proof-launch.ts')).runProofLaunch,
  exam: async () => (await import('./run-exam-launch.ts')).runExamLaunch,
  checks: async () => (await import('./run-checks-launch.ts')).runChecksLaunch,
};
