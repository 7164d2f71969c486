/** Work that a runner does while its agent works. */
export interface BackgroundWork {
  /** Called when the agent has started. */
  start(): void;
  /** Called when the agent has exited, before the processes it left behind are killed. */
  stop(): void;
  /** Resolves when nothing is left to do. */
  ended(): Promise<void>;
}
