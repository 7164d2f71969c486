/**
 * The interface of a launcher, which starts runners and nothing else: whether an agent is running is known from its
 * claim (a process identity) and its exit record in the run folder, never from a pane.
 */
export interface Launcher {
  readonly name: 'tmux' | 'process';
  /** Prepares the place where this run's agents start. Idempotent. */
  open(): Promise<void>;
  /**
   * Starts the runner of this launch: `node <runner> <runDir> <n>`. Returns once the runner is spawned. Idempotent: a
   * second runner of the same launch finds it claimed and exits.
   */
  start(launch: { role: string; launch: number }): Promise<void>;
  /** Command to watch the agents, quoted for sh, zsh and fish; null if there is nothing to attach to. */
  attach(): string | null;
}
