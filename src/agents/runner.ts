/**
 * The process in a pane, or detached: it takes one numbered launch, runs it to its end and records how it ended.
 * A launch is taken once: whoever creates its claim file runs it, everybody else leaves at once.
 *
 * Every agent waits for this program to load, so it loads little: no schemas, and of the proof nothing but for a proof.
 */
import { rm } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import { create, readText, replaceJson } from '../formats/file.ts';
import { parseJson } from '../formats/json.ts';
import type { Claim, Exit, LaunchSpec } from '../formats/launch.ts';
import { runFiles } from '../formats/layout.ts';
import { ownIdentity } from './identity.ts';
import { awaitLaunch } from './runner/called.ts';
import { judge } from './runner/outcome.ts';
import { play } from './runner/play.ts';
import { type Screen, screenOn } from './runner/screen.ts';

export interface Surroundings {
  readonly stdout: Writable;
  /** Aborted when the launch is to be stopped. */
  readonly asked?: AbortSignal;
  /** Ends what the launch left behind, before it is recorded as ended. */
  readonly endLeft?: () => void;
  /** Whose launch it has to be: a runner that was called ahead leaves when it turns out to be another's. */
  readonly role?: string;
}

/** Exit status of the runner: 0 for an agent that ended well or for a launch that somebody else has, else 1. */
export async function runLaunch(runDir: string, n: number, around: Surroundings): Promise<number> {
  const files = runFiles(runDir);
  const screen = screenOn(around.stdout);
  const asked = around.asked ?? new AbortController().signal;
  if (around.role !== undefined) await awaitLaunch(runDir, n, asked);
  // Written in one piece by the driver, in whose hand it had this type.
  const spec = parseJson((await readText(files.launch(n))) ?? 'null') as LaunchSpec | null;
  if (spec === null) {
    screen.say(`There is no launch ${n} in ${runDir}.`);
    return 1;
  }
  if (around.role !== undefined && spec.role !== around.role) {
    screen.say(`Launch ${n} went to ${spec.role}.`);
    return 0;
  }
  const claim: Claim = { launch: n, runner: ownIdentity(), claimed_at: new Date().toISOString() };
  if (!(await create(files.claim(n), `${JSON.stringify(claim)}\n`))) {
    screen.say(`Launch ${n} is taken already.`);
    return 0;
  }
  screen.say(`── ${spec.role} · ${spec.step} · ${spec.backend} · launch ${n} ──`);
  const exit = await take(runDir, spec, screen, asked);
  around.endLeft?.();
  await replaceJson(files.exit(n), exit);
  screen.say(`── ${exit.outcome}${exit.outcome === 'error' ? ` (${exit.kind}): ${exit.message}` : ''} ──`);
  return exit.outcome === 'ok' || exit.outcome === 'deferred' ? 0 : 1;
}

/** A launch that was withdrawn between the look and the claim is not begun: its run is over. */
async function take(runDir: string, spec: LaunchSpec, screen: Screen, asked: AbortSignal): Promise<Exit> {
  const env = await takeEnvironment(spec);
  if ((await readText(runFiles(runDir).launch(spec.launch))) === null) return withdrawn(spec);
  if (env === null) return { ...withdrawn(spec), ...BEREFT };
  switch (spec.stream) {
    case 'proof':
      return (await import('./runner/proof.ts')).proof(runDir, spec, env, screen, asked);
    case 'checks':
      return (await import('./runner/checks.ts')).checks(runDir, spec, env, screen, asked);
    case 'setup':
      return (await import('./runner/setup.ts')).setup(runDir, spec, env, screen, asked);
    default:
      return agent(runDir, spec, env, screen, asked);
  }
}

/** The values lie on disk no longer than they have to. They are gone already when the run is over. */
async function takeEnvironment({ environment, env }: LaunchSpec): Promise<Record<string, string> | null> {
  if (environment === null || environment === undefined) return env ?? {};
  const text = await readText(environment);
  if (text === null) return null;
  await rm(environment, { force: true });
  return parseJson(text) as Record<string, string>;
}

/** Made anew with the next launch. */
const BEREFT = {
  outcome: 'error',
  kind: 'crash',
  message: 'the environment of this launch is gone',
} as const;

const withdrawn = ({ launch }: LaunchSpec): Exit => ({
  launch,
  code: null,
  signal: null,
  outcome: 'stopped',
  kind: null,
  message: 'the run was over before the agent began',
  retry_at: null,
  session: null,
  question: null,
  usage: {
    input_tokens: 0,
    output_tokens: 0,
    cache_read_input_tokens: 0,
    cache_creation_input_tokens: 0,
    cost_usd: 0,
  },
  session_cost_usd: null,
  ended_at: new Date().toISOString(),
});

async function agent(
  runDir: string,
  spec: LaunchSpec,
  env: Record<string, string>,
  screen: Screen,
  asked: AbortSignal,
): Promise<Exit> {
  const ending = await play(runDir, spec, env, screen, asked);
  const { account } = ending;
  return {
    launch: spec.launch,
    code: ending.code,
    signal: ending.signal,
    ...judge(ending),
    session: account.session ?? spec.session,
    question: account.deferred,
    usage: account.usage,
    session_cost_usd: account.session_cost_usd,
    ended_at: new Date(ending.now).toISOString(),
  };
}
