/**
 * Where agents run. A launcher only opens a place and starts runners in it: whether an agent is at work is told by
 * its claim (a process identity) and its exit record in the run directory, never by a pane.
 */
export interface Launcher {
  readonly name: 'tmux' | 'process';
  /** Makes the place where agents of this run live; idempotent. */
  open(): Promise<void>;
  /**
   * Starts the runner of this launch: `node <runner> <runDir> <n> <role>`. Returns when it was spawned, not when it
   * ended. May be called before the launch is written: the runner waits for it a while, and leaves when it turns out
   * to be another role's. Idempotent: a second runner of the same launch finds it claimed and leaves.
   */
  start(launch: { role: string; launch: number }): Promise<void>;
  /** Command a person types to watch, quoted for sh, zsh and fish; null when there is nothing to attach to. */
  attach(): string | null;
}
