/** A shell command, how it ended, and how to control it while it runs. */
import type { Confinement, Sandbox } from './sandbox/find-sandbox.ts';

export interface Command {
  /** The command line, passed to `sh -c`. */
  readonly command: string;
  readonly cwd: string;
  /**
   * The complete environment. Its HOME is the user's, but the command gets its own HOME, which is
   * empty except for links, and its own TMPDIR.
   */
  readonly env: Readonly<Record<string, string>>;
  readonly timeout_ms: number;
  /** Milliseconds between TERM and KILL. */
  readonly grace_ms: number;
  readonly signal: AbortSignal;
  readonly sandbox: Sandbox;
  readonly confinement: Confinement;
  onOutput(from: 'stdout' | 'stderr', chunk: Buffer): void;
}

export interface CommandEnd {
  /**
   * Null if a signal or the time limit ended the command, or if it could not be started. In a sandbox, a signal is
   * reported as in shells: 128 plus its number.
   */
  readonly exit_code: number | null;
  readonly signal: string | null;
  readonly timedOut: boolean;
  readonly spawnError: string | null;
}

/** A running command with all its processes. */
export interface Running {
  /** Settles when the command itself has ended, or could not be started. */
  readonly exited: Promise<unknown>;
  /** Sends TERM to all processes and waits up to `grace_ms` for them to exit. */
  terminate(grace_ms: number): Promise<void>;
  /** Kills all processes that are left. */
  end(): Promise<void>;
  /** Returns how the command ended. Call it when no process is left. `errorOutput`: first line of standard error. */
  result(errorOutput: string): Omit<CommandEnd, 'timedOut'>;
}

/** File descriptors. */
export interface Outputs {
  readonly stdout: number;
  readonly stderr: number;
}
