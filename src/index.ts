/** All that a plugin may import. A plugin is a plain object; Dure checks what it gives and names it when it fails. */
import type { ZodType } from 'zod';
import type { Config, ErrorKind } from './formats/config.ts';
import type { RunEvent } from './formats/events.ts';
import type { LaunchSpec } from './formats/launch.ts';
import type { RunState } from './formats/state.ts';
import type { TestOutput } from './formats/tests.ts';
import type { Verdict } from './formats/verdict.ts';

export type { Config, ErrorKind, LaunchSpec, RunEvent, RunState, TestOutput, Verdict };

export interface PluginContext {
  /** Absolute path of the project. */
  readonly project: string;
  /** The plugin's own section of global.json, checked by its `config` shape. */
  readonly config: unknown;
  /** Fires when the host no longer waits for the answer. A plugin that did not come with Dure is ended with its process. */
  readonly signal: AbortSignal;
}

export type Severity = 'info' | 'warning' | 'error' | 'success';

export interface Notice {
  readonly event: RunEvent;
  readonly run: RunState;
  readonly severity: Severity;
  /** One plain line. */
  readonly text: string;
  /** The command that answers, or null when nothing waits for a person. */
  readonly command: string | null;
}

/** Says something to people somewhere: a terminal bell, a chat room, a webhook. */
export interface NotificationChannel {
  readonly name: string;
  /** Event types to hear of. Default: those that need a person, or that ended the run. */
  readonly on?: readonly RunEvent['type'][];
  /** False keeps the channel silent, e.g. by the configuration or the platform. Default: true. */
  readonly enabled?: (config: Config, platform: NodeJS.Platform) => boolean;
  /** May fail: the run goes on, and the failure is reported under this channel's name. */
  notify(notice: Notice, context: PluginContext): Promise<void> | void;
}

/** What a role is told, apart from what every prompt says. */
export interface PromptInput {
  readonly run: RunState;
  readonly config: Config;
  /** `generate` or `analyse` for the Verifier, `fix` for a Builder after MINOR_FAIL, else the role's phase. */
  readonly mode: string;
}

/** A step of the pipeline and the agent that takes it. The four built-in roles are written this way too. */
export interface AgentRole {
  readonly name: string;
  readonly phase: string;
  /** Phase after which this one comes. The built-in order is refine, build, verify, gate. Default: verify. */
  readonly after?: string;
  /** Or the phase before which it comes. */
  readonly before?: string;
  /** Folder of the run directory the role may write in. Default: its name. */
  readonly folder?: string;
  /** Model when no config file names one. */
  readonly model?: string;
  /** Milliseconds. Default: 300000. */
  readonly timeout?: number;
  /** Files, relative to the run directory, that must be there at the end; `shape` is checked when given. */
  readonly output: readonly { readonly file: string; readonly about: string; readonly shape?: ZodType }[];
  /** Instructions in Markdown; Dure adds paths, schemas, rules, decisions and what was wrong before. */
  prompt(input: PromptInput): string;
}

/** What a verdict leads to. The outcome is recorded in the event, so the log is folded without plugins. */
export type Outcome =
  | { readonly next: 'ready' }
  | { readonly next: 'fix' }
  | { readonly next: 'build' }
  | { readonly next: 'ask'; readonly question?: string }
  | { readonly next: 'fail'; readonly why: string };

export interface VerdictHandler {
  /** The word in verdict.json. */
  readonly verdict: string;
  /** Pure. The machine's result has lowered the verdict already. */
  outcome(verdict: Verdict, run: RunState): Outcome;
}

/** What a backend is asked to start. */
export interface Start {
  readonly role: string;
  readonly model: string;
  readonly launch: number;
  /** Part of a cassette, for the rehearsal: 1 for the first launch of this role (and mode). */
  readonly part: number;
  readonly mode: string;
  readonly runDir: string;
  readonly cwd: string;
  readonly bypass: boolean;
  readonly budget_usd: number | null;
  /** Session to go on with after a question, and the file that holds the answer. */
  readonly resume: { readonly session: string; readonly answer: string } | null;
  readonly cassette: string | null;
  /** Environment of the command that set the run going: what `passEnv` and `passEnvWith` name, and IS_SANDBOX. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** A coding-agent CLI. It describes the process to start; Dure's runner starts, reads and ends it. */
export interface Backend {
  readonly name: string;
  /** How standard output is read: `claude` is Claude Code's stream-json, `text` is plain. */
  readonly stream: 'claude' | 'text';
  /** Environment variables that are handed through besides PATH, HOME, LANG and TERM. `*` at the end matches a prefix. */
  readonly passEnv?: readonly string[];
  /** More of them, each list only where the variable before it is set. */
  readonly passEnvWith?: Readonly<Record<string, readonly string[]>>;
  /** Whether agents can log in with this environment. A shell that cannot leaves a run the environment it has. Default: true. */
  readonly isLoggedIn?: (env: Readonly<Record<string, string | undefined>>) => boolean;
  /** True when agents of this backend can act without anyone's consent. Default: true. */
  readonly needsConsent?: boolean;
  start(start: Start): {
    readonly argv: readonly string[];
    readonly env?: Readonly<Record<string, string>>;
    readonly session?: string;
  };
}

export interface Plugin {
  readonly name: string;
  readonly channels?: readonly NotificationChannel[];
  readonly roles?: readonly AgentRole[];
  readonly verdicts?: readonly VerdictHandler[];
  readonly backends?: readonly Backend[];
  /** Shape of the plugin's own section in global.json, under its name. */
  readonly config?: ZodType;
}

/** Identity: gives a plugin's author types and completion. */
export const definePlugin = <P extends Plugin>(plugin: P): P => plugin;
