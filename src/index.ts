/** All that a plugin may import. A plugin is a plain object; Dure checks what it gives and names it when it fails. */
import type { ZodType } from 'zod';
import type { Config } from './formats/config.ts';
import type { RunEvent } from './formats/events.ts';
import type { RunSummary } from './formats/run-summary.ts';
import type { AgentStep } from './formats/state.ts';
import type { Verdict } from './formats/verdict.ts';

export type { AgentStep, Config, RunEvent, RunSummary, Verdict };

/** Every function of a plugin may answer at once or later. */
type Awaitable<T> = T | Promise<T>;

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
  readonly run: RunSummary;
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
  readonly enabled?: (config: Config, platform: NodeJS.Platform) => Awaitable<boolean>;
  /** May fail: the run goes on, and the failure is reported under this channel's name. */
  notify(notice: Notice, context: PluginContext): Awaitable<void>;
}

/** What a prompt is made for. */
export interface PromptInput {
  readonly run: RunSummary;
  readonly config: Config;
  /** The step that is about to start, as the run recorded it. */
  readonly step: AgentStep;
  /** Name of the step, or `fix` when a step that yields a tree starts again after a minor failure. */
  readonly mode: string;
  /** The verdicts that the Gatekeeper may give. */
  readonly verdicts: readonly Pick<VerdictHandler, 'verdict' | 'when'>[];
}

/** A value, or the setting that holds it, such as `refiner.max_refinement_iterations`. */
export type Setting<T> = T | { readonly setting: string };

export interface OutputFile {
  /** Path relative to the run directory, in the folder of the role. */
  readonly file: string;
  readonly about: string;
  /** Dure checks the file against it, and puts it in the prompt. */
  readonly shape?: ZodType;
  /** The step may end without the file. Default: false. */
  readonly optional?: boolean;
}

/** One step of a role: what it does, not where a pipeline has it. */
export interface RoleStep {
  /** Pipelines list it by this name. */
  readonly name: string;
  /** What people see the run in meanwhile. Default: the name. */
  readonly phase?: string;
  /**
   * What Dure takes from the step. `tree`: the worktree, which it seals and tests. `tests`: `tests/` and
   * `test-config.json` in the folder of the role. `verdict`: `verdict.json` in the folder of the role. Default: `files`.
   */
  readonly yields?: AgentStep['yields'];
  /** Files that the prompt names, relative to the run directory. Default: all that earlier steps left. */
  readonly reads?: readonly { readonly file: string; readonly about: string }[];
  readonly outputs: readonly OutputFile[];
  /** File that ends the step as soon as it appears. Default: `verdict.json` or `done.flag` in the folder of the role. */
  readonly flag?: string;
  /** Most questions to the person. Default: `max_consultations`. */
  readonly asks?: Setting<number>;
  /** Files that are removed before each start. Default: the outputs that must exist, without the tests. */
  readonly clears?: readonly string[];
  /** A phase or step after which the step joins every pipeline of a plugin that has it. Default: only where it is listed. */
  readonly after?: string;
  /** The same, before a phase or step. */
  readonly before?: string;
  /** The step takes part only when the setting has this value. Two steps of a role may have one name with different values. */
  readonly when?: { readonly setting: string; readonly is: boolean };
}

/** An agent with its instructions. The four built-in roles are written this way too. */
export interface AgentRole {
  readonly name: string;
  /** Name of a built-in role whose steps this one takes the place of. */
  readonly replaces?: string;
  /** Folder of the run directory that the role writes in. Default: its name. */
  readonly folder?: string;
  /** Model when no config file names one. */
  readonly model?: string;
  /** Milliseconds. Default: 300000. */
  readonly timeout?: number;
  readonly steps: readonly RoleStep[];
  /** Instructions in Markdown; Dure adds paths, schemas, rules, decisions and what was wrong before. */
  prompt(input: PromptInput): Awaitable<string>;
}

/** An order of steps that `dure start --pipeline NAME` takes. */
export interface Pipeline {
  readonly name: string;
  /** One line for help and pages. */
  readonly about: string;
  /**
   * Names of steps. `execute` runs the tests. Dure adds `prepare` and `checks` where the project has set-up and checks,
   * unless they are listed.
   */
  readonly steps: readonly string[];
}

/**
 * What a verdict leads to. The outcome is recorded in the event, so the log is folded without plugins. A rework starts
 * at the first step that yields a tree, or at `step`; `minor` keeps the iteration and asks for the named issues only.
 */
export type Outcome =
  | { readonly next: 'ready' }
  | { readonly next: 'rework'; readonly minor?: boolean; readonly step?: string }
  | { readonly next: 'ask'; readonly question?: string }
  | { readonly next: 'fail'; readonly why: string };

export interface VerdictHandler {
  /** The word in verdict.json. */
  readonly verdict: string;
  /** When the Gatekeeper should give this verdict, in a sentence or two: part of its prompt. */
  readonly when: string;
  /** The machine's result has lowered the verdict already. */
  outcome(verdict: Verdict, run: RunSummary): Awaitable<Outcome>;
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

/** The process that plays the role. The prompt comes on its standard input. */
export interface Started {
  readonly argv: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly session?: string;
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
  readonly isLoggedIn?: (env: Readonly<Record<string, string | undefined>>) => Awaitable<boolean>;
  /** True when agents of this backend can act without anyone's consent. Default: true. */
  readonly needsConsent?: boolean;
  start(start: Start): Awaitable<Started>;
}

export interface Plugin {
  readonly name: string;
  readonly channels?: readonly NotificationChannel[];
  readonly roles?: readonly AgentRole[];
  readonly pipelines?: readonly Pipeline[];
  readonly verdicts?: readonly VerdictHandler[];
  readonly backends?: readonly Backend[];
  /** Shape of the plugin's own section in global.json, under its name. */
  readonly config?: ZodType;
}

/** Identity: gives a plugin's author types and completion. */
export const definePlugin = <P extends Plugin>(plugin: P): P => plugin;
