/** A launch that this runner has claimed, as everything that runs it needs it. */
import type { LaunchSpec } from '../../formats/launch.ts';
import type { PaneOutput } from './pane-output.ts';

export interface ClaimedLaunch {
  readonly runDir: string;
  readonly spec: LaunchSpec;
  readonly env: Readonly<Record<string, string>>;
  readonly screen: PaneOutput;
  /** Aborted to stop the launch. */
  readonly stopSignal: AbortSignal;
}
