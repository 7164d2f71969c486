/**
 * Everything that a plugin may import. A plugin is a plain object. Dure validates its contributions and reports
 * failures under its name.
 */
import type { ZodType } from 'zod';
import type { Config } from './formats/config/config.ts';
import * as events from './formats/events/event-types-and-severity.ts';
import type { RunEvent } from './formats/events/events.ts';
import type { RunSummary } from './formats/plugin-run-summary.ts';
import type { AgentStep } from './formats/state.ts';
import type { Verdict } from './formats/verdict.ts';

export type { AgentStep, Config, RunEvent, RunSummary, Verdict };

/** All event types. */
export const EVENT_TYPES: readonly RunEvent['type'][] = events.EVENT_TYPES;

/** The events that need the user's attention or end the run. */
export const NEEDS_ATTENTION: readonly RunEvent['type'][] = events.NEEDS_ATTENTION;

/** Every function of a plugin may be synchronous or asynchronous. */
type Awaitable<T> = T | Promise<T>;

export interface PluginContext {
  /** Absolute path of the project. */
  readonly project: string;
  /** The plugin's own section of global.json, validated by its `config` shape. */
  readonly config: unknown;
  /** Aborted when Dure stops waiting for the result. An installed plugin is then killed if it does not respond. */
  readonly signal: AbortSignal;
}

export type Severity = 'info' | 'warning' | 'error' | 'success';

export interface Notification {
  readonly event: RunEvent;
  readonly run: RunSummary;
  readonly severity: Severity;
  /** One line of plain text. */
  readonly text: string;
  /** The command to answer with; null if nothing waits for the user. */
  readonly command: string | null;
}

/** Notifies people, e.g. with a terminal bell, in a chat room or through a webhook. */
export interface NotificationChannel {
  readonly name: string;
  /** Event types to be notified of. Default: `NEEDS_ATTENTION`. */
  readonly on?: readonly RunEvent['type'][];
  /** Returns false to disable the channel, e.g. because of the configuration or the platform. Default: enabled. */
  readonly enabled?: (config: Config, platform: NodeJS.Platform) => Awaitable<boolean>;
  /** If this fails, the run continues, and the failure is reported with the channel's name. */
  notify(notification: Notification, context: PluginContext): Awaitable<void>;
}

/** The argument of a role's `prompt` function. */
export interface PromptInput {
  readonly run: RunSummary;
  readonly config: Config;
  /** The step that is about to start, as recorded in the run. */
  readonly step: AgentStep;
  /** Name of the step, or `fix` if a step that yields a tree is repeated after a minor failure. */
  readonly mode: string;
  /** The verdicts that the Gatekeeper may give. */
  readonly verdicts: readonly Pick<VerdictHandler, 'verdict' | 'when'>[];
}

/** A value, or the name of the setting that contains it, such as `refiner.max_refinement_iterations`. */
export type Setting<T> = T | { readonly setting: string };

export interface OutputFile {
  /** Path relative to the run folder, in the folder of the role. */
  readonly file: string;
  readonly about: string;
  /** Dure validates the file against this shape and includes the shape in the prompt. */
  readonly shape?: ZodType;
  /** Whether the step may end without the file. Default: false. */
  readonly optional?: boolean;
}

/** One step of a role: what it does, independent of its place in a pipeline. */
export interface RoleStep {
  /** The name under which pipelines list the step. */
  readonly name: string;
  /** The phase shown while the step runs. Default: the name. */
  readonly phase?: string;
  /**
   * What the step produces. `tree`: the worktree, which Dure seals and tests. `tests`: `tests/` and
   * `test-config.json` in the folder of the role. `verdict`: `verdict.json` in the folder of the role. Default:
   * `files`.
   */
  readonly yields?: AgentStep['yields'];
  /** Files that the prompt mentions, relative to the run folder. Default: all outputs of earlier steps. */
  readonly reads?: readonly { readonly file: string; readonly about: string }[];
  readonly outputs: readonly OutputFile[];
  /**
   * File that ends the step when it exists. Default: `done.flag` in the folder of the role, or `verdict.json` if the
   * step yields a verdict.
   */
  readonly flag?: string;
  /** Maximum number of questions to the user. Default: `max_consultations`. */
  readonly asks?: Setting<number>;
  /** Files that are removed before each start. Default: the required outputs, except the tests. */
  readonly clears?: readonly string[];
  /**
   * The phase or step after which this step is inserted, in every pipeline that comes from a plugin and contains that
   * phase or step. Default: none; pipelines have to list this step.
   */
  readonly after?: string;
  /** Like `after`, but this step is inserted before the phase or step. */
  readonly before?: string;
  /**
   * Includes the step only if the setting has this value. Two steps of a role may share a name if their values
   * differ.
   */
  readonly when?: { readonly setting: string; readonly is: boolean };
}

/** An agent with its instructions. The four built-in roles are defined in the same way. */
export interface AgentRole {
  readonly name: string;
  /** Name of a built-in role whose steps this one replaces. */
  readonly replaces?: string;
  /** The role's folder in the run folder. Default: its name. */
  readonly folder?: string;
  /** Model if no config file sets one. */
  readonly model?: string;
  /** Time limit in milliseconds. Default: 300000. */
  readonly timeout?: number;
  readonly steps: readonly RoleStep[];
  /** Instructions in Markdown. Dure adds paths, schemas, rules, decisions, and why the previous attempt failed. */
  prompt(input: PromptInput): Awaitable<string>;
}

/** A list of steps for `dure start --pipeline NAME`. */
export interface Pipeline {
  readonly name: string;
  /** One line for the help and the web UI. */
  readonly about: string;
  /**
   * Step names. `execute` runs the tests. Unless the list already contains them, Dure adds `prepare` if the project has
   * a set-up, and `checks` if it has checks.
   */
  readonly steps: readonly string[];
}

/**
 * What follows a verdict. The outcome is recorded in the event, so the log can be folded without plugins. Rework
 * starts at the first step that yields a tree, or at `step`; `minor` keeps the iteration and asks for fixes of
 * the listed issues only.
 */
export type Outcome =
  | { readonly next: 'ready' }
  | { readonly next: 'rework'; readonly minor?: boolean; readonly step?: string }
  | { readonly next: 'ask'; readonly question?: string }
  | { readonly next: 'fail'; readonly why: string };

export interface VerdictHandler {
  /** The value in verdict.json. */
  readonly verdict: string;
  /** When the Gatekeeper should give this verdict, in one or two sentences for its prompt. */
  readonly when: string;
  /** Called after the test result has limited the verdict. */
  outcome(verdict: Verdict, run: RunSummary): Awaitable<Outcome>;
}

/** A launch that Dure asks a backend to start. */
export interface Start {
  readonly role: string;
  readonly model: string;
  readonly launch: number;
  /** Which part of the cassette the rehearsal backend plays: 1 for the first launch of this step. */
  readonly part: number;
  readonly mode: string;
  readonly runDir: string;
  readonly cwd: string;
  readonly bypass: boolean;
  readonly budget_usd: number | null;
  /** Session to resume after a question, and the file with the answer. */
  readonly resume: { readonly session: string; readonly answer: string } | null;
  readonly cassette: string | null;
  /** MCP servers that the project lists, by name. Each definition is as in `mcpServers` of a `.mcp.json` file. */
  readonly mcp_servers: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /**
   * Environment of the command that started or resumed the run: the variables in `passEnv` and `passEnvWith`, and
   * IS_SANDBOX.
   */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Path of the private home in the sandbox; absent without a sandbox. */
  readonly home?: string;
}

/** The process of an agent. It receives the prompt on standard input. */
export interface Started {
  readonly argv: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly session?: string;
  /** What the process needs in a sandbox besides the system, the programs on PATH and the files of its step. */
  readonly sandbox?: {
    /** Other files and folders that the process reads. */
    readonly readable?: readonly string[];
    /** Login files: `to` is relative to the private home. They are copied back when the CLI has refreshed a token. */
    readonly login?: readonly { readonly from: string; readonly to: string }[];
    /** Contents of other files in the private home, by path relative to it. */
    readonly files?: Readonly<Record<string, string>>;
    /** Hosts that the process connects to: `host` for port 443, or `host:port`. */
    readonly hosts?: readonly string[];
  };
}

/** What `dure doctor` asks a backend to try. */
export interface ProbeRequest {
  readonly model: string;
  /** The same variables as for `start`. */
  readonly env: Start['env'];
  /** An empty folder, removed afterwards. */
  readonly scratch: string;
  /** If false, the probe must not make network requests. A probe must never cost money. */
  readonly online: boolean;
  readonly signal: AbortSignal;
}

export interface ProbeResult {
  /** Why agents cannot work: no program, no login, no response from the API, or another failure. Absent if they can. */
  readonly fault?: 'missing' | 'login' | 'unreachable' | 'broken';
  /** One line: the version, or what the program or the API responded. */
  readonly seen: string;
  /** A command that may fix the problem. */
  readonly fix?: string;
}

/** A coding-agent CLI. The backend describes the process; Dure's runner starts it, reads its output and ends it. */
export interface Backend {
  readonly name: string;
  /** Format of standard output: `claude` is Claude Code's stream-json, `text` is plain text. */
  readonly stream: 'claude' | 'text';
  /**
   * Environment variables that are passed on in addition to PATH, HOME, LANG and TERM. A name that
   * ends in `*` stands for all variables with that prefix.
   */
  readonly passEnv?: readonly string[];
  /** Additional variables that are passed on only if the variable named by the key is set. */
  readonly passEnvWith?: Readonly<Record<string, readonly string[]>>;
  /** Whether agents can log in with this environment. If not, a run keeps its previous environment. Default: true. */
  readonly isLoggedIn?: (env: Readonly<Record<string, string | undefined>>) => Awaitable<boolean>;
  /** Tries the program and the login. Default: only `isLoggedIn` is called. */
  readonly probe?: (request: ProbeRequest) => Awaitable<ProbeResult>;
  /** False if agents of this backend may run without the user's consent. Default: true. */
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

type RunStarted = Extract<RunEvent, { type: 'run.started' }>;

/** An event of a run from another tool. Dure adds the fields of `run.started` that such a run lacks, such as a key. */
export type ForeignEvent =
  | Exclude<RunEvent, RunStarted>
  | Omit<RunStarted, 'briefing' | 'options' | 'repository' | 'key'>;

/** A run from another tool, in a folder laid out like a run folder. Dure keeps it as history and never drives it. */
export interface ForeignRun {
  /** Folder of the original, relative to the project. */
  readonly from: string;
  /** Milliseconds since 1970. Determines the id of the run, unless the name of its folder is already a valid run id. */
  readonly started: number;
  /** Phase according to the other tool. */
  readonly phase: string;
  /** One line for each thing that the plugin could not read. */
  readonly skipped: readonly string[];
  /** The history, from `run.started` to the event that ends the run. */
  events(id: string, verdict: Verdict | null): readonly ForeignEvent[];
}

export interface AddedRun {
  readonly id: string;
  /** Number of answers that apply to future runs. */
  readonly decisions: number;
  /** One line for each file that was not copied, or that Dure cannot read. */
  readonly skipped: readonly string[];
}

export interface AddedSettings {
  readonly changed: boolean;
  /** Keys that Dure does not know, or whose values it rejects. */
  readonly skipped: readonly string[];
}

/** What a plugin's oclif command can do in a project. */
export interface Project {
  /** Absolute path. */
  readonly root: string;
  /** Writes settings to a config file, but only those for which the project still has the default. */
  addSettings(
    file: Exclude<keyof Config, 'plugins'>,
    values: Readonly<Record<string, unknown>>,
  ): Promise<AddedSettings>;
  /** Copies a run from another tool. The original is not changed. */
  addRun(run: ForeignRun): Promise<AddedRun>;
  /** The original folders of all runs imported so far. */
  imported(): Promise<ReadonlySet<string>>;
}

/** Opens the project in `folder` or in the nearest parent that contains `.dure/config`. Fails if there is none. */
export const openProject = async (folder: string): Promise<Project> =>
  (await import('./plugins/plugin-project-api.ts')).pluginProject(folder);

/** Returns its argument; provides types and completion to plugin authors. */
export const definePlugin = <P extends Plugin>(plugin: P): P => plugin;
