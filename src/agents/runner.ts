/**
 * The process in a pane, or detached: it takes one numbered launch, runs it to its end and records how it ended.
 * A launch is taken once: whoever creates its claim file runs it, everybody else leaves at once.
 */
import type { Writable } from 'node:stream';
import { create, load, replaceJson } from '../formats/file.ts';
import { type Claim, type Exit, type LaunchSpec, launchFile } from '../formats/launch.ts';
import { runFiles } from '../formats/layout.ts';
import { ownIdentity } from './identity.ts';
import { judge } from './runner/outcome.ts';
import { play } from './runner/play.ts';
import { proof } from './runner/proof.ts';
import { type Screen, screenOn } from './runner/screen.ts';

export interface Surroundings {
  readonly stdout: Writable;
  /** Aborted when the launch is to be stopped. */
  readonly asked?: AbortSignal;
}

/** Exit status of the runner: 0 for an agent that ended well or for a launch that somebody else has, else 1. */
export async function runLaunch(runDir: string, n: number, around: Surroundings): Promise<number> {
  const files = runFiles(runDir);
  const screen = screenOn(around.stdout);
  const asked = around.asked ?? new AbortController().signal;
  const spec = await load(launchFile, files.launch(n));
  if (spec === null) {
    screen.say(`There is no launch ${n} in ${runDir}.`);
    return 1;
  }
  const claim: Claim = { launch: n, runner: ownIdentity(), claimed_at: new Date().toISOString() };
  if (!(await create(files.claim(n), `${JSON.stringify(claim)}\n`))) {
    screen.say(`Launch ${n} is taken already.`);
    return 0;
  }
  screen.say(`── ${spec.role} · ${spec.step} · ${spec.backend} · launch ${n} ──`);
  const exit = await (spec.argv[0] === 'prove' ? proof : agent)(runDir, spec, screen, asked);
  await replaceJson(files.exit(n), exit);
  screen.say(`── ${exit.outcome}${exit.outcome === 'error' ? ` (${exit.kind}): ${exit.message}` : ''} ──`);
  return exit.outcome === 'ok' || exit.outcome === 'deferred' ? 0 : 1;
}

async function agent(runDir: string, spec: LaunchSpec, screen: Screen, asked: AbortSignal): Promise<Exit> {
  const ending = await play(runDir, spec, screen, asked);
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
