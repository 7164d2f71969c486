/** What the host has to give: all sound contributions of all plugins, in an order that never varies. */
import type { ZodType } from 'zod';
import type { AgentRole, Backend, NotificationChannel, VerdictHandler } from '../index.ts';
import type { Blame, Report } from './calls.ts';

export interface GatheredChannel {
  readonly plugin: string;
  /** Key of the plugin's own section in global.json. */
  readonly section: string;
  readonly channel: NotificationChannel;
}

export interface Gathered {
  /** Each after the phase it names; the built-in four come first. */
  readonly roles: readonly AgentRole[];
  readonly verdicts: readonly VerdictHandler[];
  readonly channels: readonly GatheredChannel[];
  readonly backends: readonly Backend[];
  /** Shapes of the plugins' own sections of global.json, by the plugin's name. */
  readonly configShapes: Readonly<Record<string, ZodType>>;
  /** Grows when a plugin fails later. */
  readonly problems: readonly Blame[];
}

export interface Terms {
  readonly backends?: readonly Backend[];
  /** Hears of each problem as it becomes known. */
  readonly report?: Report;
  readonly limit_ms?: number;
}

/** What came of asking one plugin: a root has several hooks, so several answers. */
export interface Delivery {
  readonly plugin: string;
  readonly builtIn: boolean;
  readonly given: readonly unknown[];
  readonly failures: readonly unknown[];
}
