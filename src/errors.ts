/**
 * Every error Dure means to show a person, said once: code, exit status, message and what to try.
 * Anything else that is thrown is a bug and keeps its stack. What goes wrong inside an agent is not
 * an error here but an event (`agent.failed`).
 */
export const EXIT = { failed: 1, usage: 2, waiting: 3, refused: 4, interrupted: 5 } as const;
type Exit = keyof typeof EXIT;
type Said = readonly [exit: Exit, message: string, ...tryThis: string[]];

const say = {
  E_NOT_A_PROJECT: (c: { dir: string }) => [
    'usage',
    `No Dure project here: ${c.dir} and the folders above it have no .dure folder.`,
    'Run `dure init` in the project.',
  ],
  E_RUN_NOT_FOUND: (c: { run: string }) => ['usage', `There is no run ${c.run}.`, 'See `dure history`.'],
  E_NO_RUNS: () => ['usage', 'There are no runs yet.', 'Start one: `dure start "what should be done"`.'],
  E_RUN_ID: (c: { run: string }) => [
    'usage',
    `${c.run} is not a run id.`,
    'A run id looks like run-20260131-142233; see `dure history`.',
  ],
  E_FILE_INVALID: (c: { file: string; problems: string }) => [
    'failed',
    `${c.file} is not valid:\n${c.problems}`,
    'Correct the file and try again; nothing was changed.',
  ],
  E_FILE_UNREADABLE: (c: { file: string; why: string }) => [
    'failed',
    `${c.file} cannot be read: ${c.why}.`,
    'Check that it is an ordinary file and that you may read it.',
  ],
  E_FILE_MISSING: (c: { file: string }) => [
    'failed',
    `There is no file ${c.file}.`,
    'Check its name, and the folder you are in.',
  ],
  E_LOG_CORRUPT: (c: { file: string; line: number | null; why: string }) => [
    'failed',
    `${c.file} was changed or damaged: ${c.line === null ? '' : `line ${c.line}, `}${c.why}.`,
    'Dure does not go on with a log that is not whole. Restore the file, or start a new run.',
  ],
  E_CONFIG: (c: { problems: string }) => [
    'usage',
    `The configuration has mistakes:\n${c.problems}`,
    'Correct the files under .dure/config; `dure init` writes missing ones.',
  ],
  E_BRIEFING_EMPTY: () => ['usage', 'The briefing is empty.', 'Say what should be done: `dure start "…"`.'],
  E_BRIEFING_TWICE: () => [
    'usage',
    'There are two briefings, one in words and one in a file.',
    'Give one of them: `dure start "…"` or `dure start --file FILE`.',
  ],
  E_BUDGET: (c: { budget: string }) => [
    'usage',
    `${c.budget} is not an amount of US dollars.`,
    'Write a number above zero, such as 2.50.',
  ],
  E_BACKEND_UNKNOWN: (c: { name: string; known: string }) => [
    'usage',
    `There is no backend ${c.name}.`,
    `Known backends: ${c.known}.`,
  ],
  E_CONSENT: (c: { guide: string }) => [
    'refused',
    'Agents run without permission prompts, and nobody has agreed to that for this project.',
    `Read ${c.guide}, then say so once: \`dure init --allow-bypass\`.`,
    'Inside a container or sandbox set IS_SANDBOX=1 instead.',
  ],
  E_GIT: (c: { command: string; stderr: string }) => [
    'failed',
    `git ${c.command} failed: ${c.stderr}`,
    'Look at the message of git; nothing of yours was changed.',
  ],
  E_GIT_MISSING: () => ['failed', 'git was not found.', 'Install git 2.31 or newer.'],
  E_STATE_FOLDER: (c: { why: string }) => [
    'failed',
    `No folder outside the project can hold Dure's checkouts: ${c.why}.`,
    'Set XDG_STATE_HOME to a folder of yours that lies outside every project.',
  ],
  E_LINK_INTO_CHECKOUT: (c: { link: string; target: string }) => [
    'failed',
    `${c.link} is a link into your checkout (${c.target}), so tests would read files that are not part of the result.`,
    'Make the link relative, or remove it.',
  ],
  E_TESTS_IN_THE_WAY: (c: { path: string; existing: string }) => [
    'failed',
    `The test ${c.path} cannot be put in place: ${c.existing} exists already.`,
    'Have the Verifier choose another name for it.',
  ],
  E_BASE: (c: { base: string }) => [
    'usage',
    `${c.base} names no commit.`,
    'Give a branch, tag or commit id.',
  ],
  E_TMUX: (c: { why: string }) => [
    'failed',
    `tmux failed: ${c.why}`,
    'Start with `--launcher process` to run without tmux.',
  ],
  E_NOT_IN_TMUX: (c: { run: string }) => [
    'refused',
    `The agents of ${c.run} do not run in tmux, so there is nothing to attach to.`,
    `Watch the run: \`dure watch ${c.run}\`.`,
    `Read what an agent says: \`dure logs ${c.run} --agent builder --follow\`.`,
  ],
  E_NO_SESSION: (c: { run: string; phase: string }) => [
    'refused',
    `${c.run} has no tmux session now (${c.phase}): it ends with the run.`,
    `Read what happened: \`dure logs ${c.run}\`.`,
    `If the run is interrupted, go on with it: \`dure recover ${c.run}\`.`,
  ],
  E_RUN_OVER: (c: { run: string; phase: string }) => [
    'refused',
    `${c.run} is over (${c.phase}).`,
    'Start a new run: `dure start`.',
  ],
  E_NOT_WAITING: (c: { run: string; phase: string }) => [
    'refused',
    `${c.run} asks nothing now (${c.phase}).`,
    'See `dure status`.',
  ],
  E_CRP_UNKNOWN: (c: { crp: string; open: string }) => [
    'usage',
    `${c.crp} is not the open question.`,
    `Open: ${c.open}.`,
  ],
  E_ANSWERED: (c: { crp: string; decision: string }) => [
    'refused',
    `${c.crp} was answered already: ${c.decision}.`,
    'The first answer holds. See `dure status`.',
  ],
  E_OPTION_UNKNOWN: (c: { decision: string; options: string }) => [
    'usage',
    `${c.decision} is not one of the options.`,
    `Options: ${c.options}. For an answer of your own use --decision OTHER with --rationale.`,
  ],
  E_WORDS_ALONE: (c: { crp: string; options: string }) => [
    'usage',
    `${c.crp} is about money: words alone do not answer it, and nothing was recorded.`,
    `Take an option (${c.options}), or name an amount: \`dure answer --decision 20\` grants $20 more. Add your words with --rationale.`,
  ],
  E_AMOUNT_UNASKED: (c: { crp: string; decision: string }) => [
    'usage',
    `${c.crp} takes no amount with the decision ${c.decision}.`,
    'An amount answers only the question for more budget: `dure answer --decision raise --amount 20`.',
  ],
  E_NO_ANSWER: (c: { crp: string }) => [
    'waiting',
    `${c.crp} waits for a decision.`,
    'Answer with `dure answer --decision ID`, or take the recommendation with `--yes`.',
  ],
  E_NOT_READY: (c: { run: string; phase: string }) => [
    'refused',
    `${c.run} has no merge-readiness pack to decide on (${c.phase}).`,
    'See `dure status`.',
  ],
  E_PACK_MOVED: (c: { seen: string; now: string }) => [
    'refused',
    `The pack is no longer the one that was shown: tree ${c.seen} is now ${c.now}.`,
    'Look at it again with `dure review`.',
  ],
  E_MERGE: (c: { why: string; branch: string }) => [
    'refused',
    `The result was not merged: ${c.why}`,
    `It is safe on the branch ${c.branch}.`,
    'Put your checkout in order and `dure approve` again, or merge that branch yourself.',
  ],
  E_FEEDBACK_EMPTY: () => ['usage', 'What should change?', 'Say it: `dure reject --feedback "…"`.'],
  E_DRIVER_ALIVE: (c: { run: string; pid: number }) => [
    'refused',
    `${c.run} is being driven by process ${c.pid}.`,
    'Nothing to recover; see `dure status`.',
  ],
  E_NOT_AT_WORK: (c: { run: string; agent: string }) => [
    'refused',
    `In ${c.run} no ${c.agent} is at work now.`,
    'See `dure status`.',
  ],
  E_CONFIRM: (c: { keys: string }) => [
    'refused',
    `This decides what is executed, and with which rights: ${c.keys}.`,
    'Look at it once more and confirm it.',
  ],
  E_NO_DRIVER: (c: { run: string; said: string }) => [
    'failed',
    `No process came up to drive ${c.run}.${c.said ? ` It said:\n${c.said}` : ''}`,
    'Try `dure recover`, or drive it in this terminal: `dure serve`.',
  ],
  E_WAITING: (c: { run: string; command: string }) => [
    'waiting',
    `${c.run} waits for you.`,
    `Answer: ${c.command}`,
  ],
  E_RUN_FAILED: (c: { run: string; reason: string }) => [
    'failed',
    `${c.run} failed: ${c.reason}`,
    `See what happened: \`dure logs ${c.run}\`.`,
  ],
  E_RUN_STOPPED: (c: { run: string; reason: string }) => [
    'interrupted',
    `${c.run} was stopped: ${c.reason}`,
    'Start a new run: `dure start`.',
  ],
  E_RUN_INTERRUPTED: (c: { run: string }) => [
    'interrupted',
    `${c.run} is interrupted: no process drives it.`,
    `Go on with it: \`dure recover ${c.run}\`.`,
  ],
  E_WAIT_TIMEOUT: (c: { run: string; seconds: number; phase: string }) => [
    'failed',
    `${c.run} is still in ${c.phase} after ${c.seconds} s.`,
    'Wait longer with `--timeout`, or look: `dure status`.',
  ],
  E_NOT_TAKEN: (c: { run: string }) => [
    'failed',
    `Nobody who drives ${c.run} has taken this up yet. It is kept.`,
    `See why: \`dure status ${c.run}\` and the driver.log of the run, then \`dure recover ${c.run}\`.`,
  ],
  E_COMMAND_UNKNOWN: (c: { command: string; near: string | null }) => [
    'usage',
    `${c.command} is not a dure command.`,
    c.near ? `Did you mean \`dure ${c.near}\`?` : 'See `dure --help`.',
  ],
  E_CONFIG_KEY: (c: { key: string; known: string | null }) => [
    'usage',
    `There is no setting ${c.key}.`,
    c.known ? `Known: ${c.known}.` : 'What stands before it has no keys.',
  ],
  E_COMMENT: (c: { comment: string }) => [
    'usage',
    `${c.comment} is not a comment on a line.`,
    'Write it as FILE:LINE:TEXT, for example src/app.ts:12:"name this better".',
  ],
  E_SPAN: (c: { span: string }) => [
    'usage',
    `${c.span} is not a span of time.`,
    'Write a number and m, h, d or w, such as 30d or 12h.',
  ],
  E_KEPT: (c: { run: string; why: string }) => [
    'refused',
    `${c.run} stays: ${c.why}.`,
    'See what else would go: `dure clean --dry-run`. More is removed with `--force`.',
  ],
  E_NOT_AGREED: (c: { count: number }) => [
    'refused',
    `${c.count === 1 ? 'One run' : `${c.count} runs`} would be removed, and nobody has agreed to that.`,
    'Look first with `dure clean --dry-run`, then agree with `--yes`.',
  ],
  E_FOLDER_FULL: (c: { dir: string }) => [
    'usage',
    `${c.dir} is not empty.`,
    'Name a folder that is empty or not there yet.',
  ],
  E_NO_PAGES: (c: { project: string }) => [
    'failed',
    `Nobody serves the pages of ${c.project}.`,
    'See .dure/server/started.log, or run `dure serve` in a terminal and look at what it says.',
  ],
  E_NO_STREAM: (c: { run: string; agent: string; known: string }) => [
    'usage',
    `${c.agent} has not been started in ${c.run}.`,
    `Started so far: ${c.known}.`,
  ],
  E_PLUGIN: (c: { plugin: string; problem: string }) => [
    'failed',
    `Plugin ${c.plugin}: ${c.problem}`,
    `The rest goes on without it. Repair it, or take it out: \`dure plugins uninstall ${c.plugin}\`.`,
  ],
  E_PLUGIN_FAULTY: (c: { plugin: string; problems: string }) => [
    'failed',
    `${c.plugin} would not work as it is:\n${c.problems}`,
    'Mend that and check it again; docs/plugins.md says what a plugin may give.',
  ],
  E_PLUGIN_INSTALL: (c: { plugin: string; why: string }) => [
    'failed',
    `${c.plugin} could not be installed: ${c.why}`,
    'Nothing was changed. `--verbose` shows all that npm says.',
  ],
  E_PLUGIN_PATH: (c: { path: string; why: string }) => [
    'usage',
    `There is no plugin at ${c.path}: ${c.why}.`,
    'Give the folder that holds its package.json, or a tarball of it.',
  ],
  E_PLUGIN_UNKNOWN: (c: { plugin: string; installed: string }) => [
    'usage',
    `No plugin ${c.plugin} is installed.`,
    `Installed: ${c.installed || 'none'}.`,
  ],
  E_DISK: (c: { file: string; why: string }) => [
    'failed',
    `${c.file} could not be written: ${c.why}.`,
    'Make room or rights, then `dure recover`.',
  ],
} satisfies Record<string, (context: never) => Said>;

export type ErrorCode = keyof typeof say;
/** The same table in another language: what happened, then what to try. */
export type ErrorWords = {
  readonly [C in ErrorCode]: (
    context: Parameters<(typeof say)[C]> extends [infer A] ? A : undefined,
  ) => readonly [message: string, ...tryThis: string[]];
};
export const ERROR_CODES = Object.keys(say) as ErrorCode[];

export class DureError extends Error {
  override name = 'DureError';
  readonly code: ErrorCode;
  readonly exit: number;
  readonly suggestions: string[];
  /** What the words are about, for those who say them in another language. */
  readonly context: unknown;

  constructor(code: ErrorCode, said: Said, context: unknown, options?: ErrorOptions) {
    const [exit, message, ...suggestions] = said;
    super(message, options);
    this.code = code;
    this.context = context;
    this.exit = EXIT[exit];
    this.suggestions = suggestions;
  }
}

/** `throw dureError('E_RUN_NOT_FOUND', { run })`: the compiler checks the context each code needs. */
export const dureError = <C extends ErrorCode>(
  code: C,
  ...[context, options]: Parameters<(typeof say)[C]> extends [infer A]
    ? [context: A, options?: ErrorOptions]
    : [context?: undefined, options?: ErrorOptions]
): DureError => new DureError(code, (say[code] as (c: unknown) => Said)(context), context, options);
