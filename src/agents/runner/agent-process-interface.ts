/** The process of an agent, whether it runs in a sandbox or not. */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';

export interface AgentProcess {
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  readonly exited: Promise<{ readonly code: number | null; readonly signal: string | null }>;
  /** Signals the agent and its process group. */
  signal(name: NodeJS.Signals): void;
  /** Kills the processes that the agent left running. Settles when none is left. */
  end(): Promise<void>;
  /** Called when no process is left: copies a refreshed login back and removes temporary folders. */
  close(): Promise<void>;
}

export const exitOf = async (
  child: ChildProcess,
): Promise<{ code: number | null; signal: string | null }> => {
  const [code, signal] = await once(child, 'exit');
  return { code, signal };
};
