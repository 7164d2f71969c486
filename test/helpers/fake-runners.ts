/** The processes of a fake launcher: they are alive until they exit, and react to a signal by stopping. */

import type { Exit, Identity, RunnerIdentity } from '../../src/formats/launch.ts';
import { sha256 } from '../../src/formats/text/sha256.ts';

export interface Process {
  readonly launch: number;
  readonly role: string;
  readonly step: string;
  alive: boolean;
  /** The cost it reports, however it ends. */
  cost: number | null;
}

interface Run {
  exit(launch: number, how: Partial<Exit>): void;
}

/** What the fake runners put into their exit records. */
export const RUNNER_TOKEN = 'token';

/** A pid that no real process has. */
const RUNNERS = new Map<number, { readonly run: Run; readonly process: Process }>();
let nextPid = 2 ** 40;

export function addRunner(run: Run, process: Process): RunnerIdentity {
  const pid = nextPid;
  nextPid += 1;
  RUNNERS.set(pid, { run, process });
  return { pid, boot: 'fake', started: '0', token_hash: sha256(RUNNER_TOKEN) };
}

export function removeRunners(of: Run): void {
  for (const [pid, { run }] of RUNNERS) if (run === of) RUNNERS.delete(pid);
}

/** A version of `process/identity.ts` that knows these processes in addition to the real ones. */
export function withRunners<
  I extends {
    isAlive(who: Identity): boolean;
    signalProcess(who: Identity, name: NodeJS.Signals): boolean;
  },
>(identity: I): I {
  return {
    ...identity,
    isAlive: (who: Identity) => RUNNERS.get(who.pid)?.process.alive ?? identity.isAlive(who),
    signalProcess(who: Identity, name: NodeJS.Signals) {
      const runner = RUNNERS.get(who.pid);
      if (!runner) return identity.signalProcess(who, name);
      if (!runner.process.alive) return false;
      runner.run.exit(runner.process.launch, { outcome: 'stopped', message: 'stopped' });
      return true;
    },
  };
}
