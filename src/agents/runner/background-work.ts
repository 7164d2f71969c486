/** Work that a runner does while its agent works. */
export interface Meanwhile {
  /** Called when the agent has started. */
  start(): void;
  /** Called when the agent has ended, before the processes it left are ended. */
  stop(): void;
  /** Resolves when nothing is left to do. */
  ended(): Promise<void>;
}
