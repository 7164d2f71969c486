/**
 * `node runner.cjs <runDir> <launch> <role>`: the program of a pane. It may be called before its launch is written.
 * A signal asks the agent to stop; its end is still recorded.
 */
import { endDescendants } from './kill.ts';
import { runLaunch } from './runner.ts';

async function main(
  runDir: string | undefined,
  launch: string | undefined,
  role: string | undefined,
): Promise<number> {
  const asked = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => asked.abort());
  if (!runDir || !/^[1-9]\d*$/.test(launch ?? '')) throw new Error('usage: runner <runDir> <launch> [role]');
  return runLaunch(runDir, Number(launch), {
    stdout: process.stdout,
    endLeft: endDescendants,
    asked: asked.signal,
    ...(role !== undefined && { role }),
  });
}

const [runDir, launch, role] = process.argv.slice(2);
// A pipe that a stranger inherited from the agent would keep this process for as long as the stranger lives.
main(runDir, launch, role).then(
  code => process.exit(code),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    process.exit(1);
  },
);
