/** Starts the process of an agent, in its sandbox if it has one. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import type { LaunchSpec } from '../../formats/launch.ts';
import { killMarked, marksOf, signalGroup } from '../../process/kill.ts';

export interface AgentProcess {
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  readonly exited: Promise<{ readonly code: number | null; readonly signal: string | null }>;
  /** Signals the agent and its process group. */
  signal(name: NodeJS.Signals): void;
  /** Kills what the agent left running. Settles when no process is left. */
  end(): Promise<void>;
  /** Called when no process is left: removes temporary folders and keeps a refreshed login. */
  close(): Promise<void>;
}

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

export const exitOf = async (
  child: ChildProcess,
): Promise<{ code: number | null; signal: string | null }> => {
  const [code, signal] = await once(child, 'exit');
  return { code, signal };
};
