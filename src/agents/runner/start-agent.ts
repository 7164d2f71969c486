/** Starts the process of an agent, in its sandbox if it has one. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import type { LaunchSpec } from '../../formats/launch.ts';
import { killMarked, marksOf, signalGroup } from '../../process/kill.ts';
import { type AgentProcess, exitOf } from './agent-process-interface.ts';

/** Rejects if the program cannot be started. `print` shows a line in the pane. */
export async function startAgent(
  runDir: string,
  spec: LaunchSpec,
  env: Readonly<Record<string, string>>,
  print: (line: string) => void,
): Promise<AgentProcess> {
  // spawn reports ENOENT for a missing folder as well as for a missing program.
  if (!existsSync(spec.cwd)) throw new Error(`the folder ${spec.cwd} is missing`);
  const agentEnv = { ...env, ...marksOf(runDir, spec.launch) };
  if (spec.sandbox) {
    const { startSandboxedAgent } = await import('./start-sandboxed-agent.ts');
    return startSandboxedAgent(spec, spec.sandbox, agentEnv, print);
  }
  const [program, ...args] = spec.argv;
  const child = spawn(program!, args, {
    cwd: spec.cwd,
    env: agentEnv,
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  await once(child, 'spawn');
  child.on('error', () => {});
  const killRemaining = (): void => {
    signalGroup(child.pid!, 'SIGKILL');
    killMarked(runDir, spec.launch);
  };
  return {
    stdin: child.stdin,
    stdout: child.stdout,
    stderr: child.stderr,
    exited: exitOf(child),
    signal: name => void signalGroup(child.pid!, name),
    end: async () => killRemaining(),
    close: async () => {},
  };
}
