/** A launch that this runner has claimed, with everything that is needed to run it. */
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
