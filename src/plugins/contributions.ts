/** The valid contributions of all plugins, in a fixed order. */
import type { ZodType } from 'zod';
import type { ContributedChannel } from '../core/run/notify-channels.ts';
import type { AgentRole, Backend, Pipeline, VerdictHandler } from '../index.ts';
import type { PluginFailure, Report } from '../process/call-plugin-code.ts';

export interface Contributions {
  /** Built-in ones first. */
  readonly roles: readonly AgentRole[];
  readonly pipelines: readonly Pipeline[];
  readonly verdicts: readonly VerdictHandler[];
  readonly channels: readonly ContributedChannel[];
  readonly backends: readonly Backend[];
  /** Shapes of the sections of plugins in global.json, by plugin name. */
  readonly configShapes: Readonly<Record<string, ZodType>>;
  /** The problems found so far; a plugin that fails later adds one. */
  readonly problems: readonly PluginFailure[];
}

export interface Terms {
  readonly backends?: readonly Backend[];
  /** Called with each problem when it occurs. */
  readonly report?: Report;
  readonly limit_ms?: number;
}

/** The outcome of loading one plugin: each of its hooks adds a value to `given` or an error to `failures`. */
export interface LoadedPlugin {
  readonly plugin: string;
  readonly builtIn: boolean;
  readonly given: readonly unknown[];
  readonly failures: readonly unknown[];
}
