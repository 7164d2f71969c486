/**
 * `node runner.cjs <runDir> <launch>`: the program of a launch. On a signal, asks the agent to stop, and still records
 * how the launch ended.
 */
import { endDescendants } from '../process/kill.ts';
import { runLaunch } from './runner/claim-and-run-launch.ts';

async function main(runDir: string | undefined, launch: string | undefined): Promise<number> {
  const asked = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => asked.abort());
  if (!runDir || !/^[1-9]\d*$/.test(launch ?? '')) throw new Error('usage: runner <runDir> <launch>');
  return runLaunch(runDir, Number(launch), {
    stdout: process.stdout,
    killLeftovers: endDescendants,
    stopSignal: asked.signal,
  });
}

const [runDir, launch] = process.argv.slice(2);
// Exit explicitly: a process that inherited a pipe from the agent would otherwise keep this one alive.
main(runDir, launch).then(
  code => process.exit(code),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    process.exit(1);
  },
);
