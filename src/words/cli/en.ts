/** What the command line says to people, in English. The shape of this catalogue is the shape of every other. */
import { describe } from '../../core/describe.ts';
import type { DureError } from '../../errors.ts';
import type { RunEvent } from '../../formats/events.ts';
import type { Counts } from './counts.ts';
import { clean, init } from './en-house.ts';

const phases: Record<string, string> = { waiting_human: 'waits for you', ready_for_merge: 'ready for merge' };

const CHECKS: Readonly<Record<string, string>> = {
  pass: 'passed',
  regression: 'broken',
  'red-on-base': 'fails, as on base',
  'could-not-run': 'could not be run',
};

export const en = {
  /** An event as one plain line. */
  event: (event: RunEvent): string => describe(event),
  error: ({ message, suggestions }: DureError): Told => ({ message, suggestions }),
  /** What oclif says when a call was wrong. */
  usage: (said: string): string => said,
  showHelp: 'Show help.',
  errorHead: 'Error:',
  warningHead: 'Warning:',
  tryHead: 'Try:',

  phase: (id: string): string => phases[id] ?? id,
  role: (id: string): string => id,
  step: (role: string, step: string): string => `${role}: ${step}`,
  status: (id: string): string => (id === 'waiting_human' ? 'waits for you' : id),
  machine: (id: string): string => id,
  check: (id: string): string => CHECKS[id] ?? id,
  regressions: (n: number) => (n === 1 ? '1 regression' : `${n} regressions`),
  units: { h: 'h', m: 'm', s: 's' },
  round: (iteration: number, most: number) => `iteration ${iteration} of ${most}`,
  fixing: (n: number) => `minor fix ${n}`,
  attempt: (n: number) => `try ${n}`,
  costUnknown: 'cost unknown',
  atLeast: (usd: string) => `at least ${usd}`,
  ofBudget: (spent: string, budget: string) => `${spent} of ${budget}`,
  counts: ({ total, passed, failed, skipped }: Counts) =>
    `${passed} of ${total} passed${failed ? `, ${failed} failed` : ''}${skipped ? `, ${skipped} skipped` : ''}`,
  covered: (percent: number) => `${percent}% covered`,

  status_view: {
    tests: 'Tests',
    checks: 'Checks',
    verdict: 'Verdict',
    because: 'Because',
    budget: 'Budget',
    lowered: (claimed: string, why: string) => `the Gatekeeper said ${claimed}; ${why}`,
    answer: (crp: string) => `It asks you a question (${crp}).`,
    approval: 'The merge-readiness pack waits for your word.',
    recovery: 'No process drives it. Nothing is lost.',
    delayed: (who: string, reason: string) => `The ${who} waits for its API: ${reason}.`,
    late: (who: string) => `The ${who} takes longer than it may. It goes on.`,
    broughtOver: (from: string) => `Brought over from ${from}.`,
  },
  progress: {
    setup: 'Dure prepares the worktree',
    proof: 'Dure runs the tests',
    checks: "Dure runs the project's own checks",
    starting: 'starting',
    goesOn: 'goes on',
    asks: 'asks you',
    asked: 'asked',
  },
  question: {
    asks: (who: string) => (who === 'dure' ? 'Dure asks' : `The ${who} asks`),
    kind: (type: string): string => type,
    recommended: 'recommended',
    risk: (text: string) => `Risk: ${text}`,
    choice: (options: number, takes: { recommendation: boolean; words: boolean; amount: boolean }) =>
      `Your choice (1-${options}${takes.words ? ', o: own words' : ''}${takes.amount ? ', $20: that much more' : ''}${takes.recommendation ? ', Enter: recommended' : ''}): `,
    ownWords: 'In your words: ',
    why: 'Why? (Enter to leave it out) ',
    remember: 'Keep this as a decision for later runs too?',
    answerWith: 'Answer with:',
  },
  ready: {
    title: 'Ready for merge',
    decide: 'Look at it, then decide:',
  },
  sandbox: {
    inside: (what: string) => `in a sandbox (${what})`,
    without: (why: string) => `The tests ran without a sandbox: ${why}.`,
    unknown: 'no reason is known',
  },
  pack: {
    title: 'The merge-readiness pack',
    evidence: 'Evidence',
    summary: 'Summary (mrp/summary.md)',
    decide: 'Decide:',
    tests: 'Tests',
    byDure: (result: string) => `${result}, run by Dure`,
    checks: 'Checks',
    overridden: (n: number) =>
      `${n} ${n === 1 ? 'test' : 'tests'} of the base that the Builder changed or removed ${n === 1 ? 'fails' : 'fail'} on this result: see the summary`,
    command: 'Command',
    exit: (code: number | null) => (code === null ? 'exit by signal' : `exit ${code}`),
    sandbox: 'Sandbox',
    inputs: 'This result changes how its tests are run. Look at these files first:',
    author: 'Written by',
    coverage: 'Coverage',
    unmeasured: 'not measured',
    ofLines: (percent: number) => `${percent}% of all lines`,
    ofChanged: (percent: number) => `${percent}% of the added and changed lines`,
    verdict: 'Verdict',
    accepted: 'accepted by you as it is',
    withoutProof: 'accepted by you without proof',
    iterations: 'Iterations',
    decisions: 'Decisions',
    none: 'none',
    cost: 'Cost',
    unknown: 'unknown',
    tree: 'Tree',
    on: (tree: string, base: string) => `${tree} on ${base}`,
    files: 'Files',
    changed: (n: number) => `${n} changed`,
    more: (n: number) => `… ${n} more`,
    tooLarge: (megabytes: number, file: string) => `Too large to show: ${megabytes} MB, see ${file}.`,
    tooNarrow: (columns: number) => `Side by side needs ${columns} columns; this is the unified diff.`,
  },
  start: {
    what: 'What should be done? ',
    notSetUp: 'This project is not set up yet.',
    attach: (command: string) => `Watch the agents at work: ${command}`,
    detached: (command: string) => `It goes on by itself. Follow it:\n  ${command}`,
    left: (run: string, watch: string, stop: string) =>
      `${run} goes on without you. Come back to it, or end it:\n  ${watch}\n  ${stop}`,
    notIncluded: (files: string, more: number) =>
      `Your uncommitted changes are not in it: ${files}${more > 0 ? ` and ${more} more` : ''}. (--include-changes takes them.)`,
  },
  goesOn: (run: string, command: string) => `${run} goes on. Follow it:\n  ${command}`,
  buildsAgain: (run: string, command: string) =>
    `${run} builds again with your feedback. Follow it:\n  ${command}`,
  keepsEnvironment: (lacks: 'credentials' | 'consent', backend: string) =>
    lacks === 'credentials'
      ? `This shell has no credentials for ${backend}: the run keeps the environment it has.`
      : `This shell does not set IS_SANDBOX=1, which ${backend} needs here: the run keeps the environment it has.`,
  isNow: (run: string, phase: string) => `${run} is ${phase}.`,
  pages: {
    at: (address: string) => `Pages: ${address}`,
    opened: 'Opened in your browser.',
    write: (address: string) => `Write the briefing on the page that opens: ${address}`,
  },
  waits: (run: string, command: string) => `${run} waits for you: ${command}`,
  retried: (run: string, who: string) => `${run}: ${who} is started again.`,
  extended: (run: string, who: string, span: string) => `${run}: ${who} has ${span} more.`,
  noRuns: 'No runs yet. Start one: dure start "what should be done"',
  recover: {
    none: 'No run is interrupted.',
    was: (phase: string) => `was in ${phase}`,
    how: (one: string, all: string) => `Go on with one: ${one}, with all: ${all}`,
  },
  serve: {
    standingBy: (pid: number) => `Process ${pid} leads this project; this one stands by.`,
    taken: (port: number) => `Port ${port} is taken.`,
    pages: (url: string) => `Pages: ${url}`,
    withoutPages: (why: string) => `No pages: ${why}`,
  },
  init,
  clean,
  config: {
    right: (folder: string) => `The configuration in ${folder} is right.`,
  },
  plugins: {
    none: 'No plugins are installed.',
    unloadable: 'cannot be loaded',
  },
  demo: {
    what: 'This is a rehearsal: the four agents play a recording, so no model, no key and no network are used. Everything else is real: the git worktree, the question, the tests that Dure runs, the mistake they find, the pack, and the merge.',
    sample: (root: string) => `The sample project: ${root}`,
    briefing: 'The briefing:',
    approve: 'Approve it and merge? [Y/n] ',
    merged: 'Merged. That was a rehearsal.',
    notMerged: 'Not merged. That was a rehearsal.',
    still: 'Everything is still there to look at:',
    project: 'the project',
    pack: 'the pack',
    forReal: 'For real, with Claude Code, in a project of yours:',
    task: 'what should be done',
  },
  setUp: {
    warning:
      'Agents work without asking before each step (the "bypass permissions" of their CLI). Each writes in a git worktree of its own and what it changes elsewhere in the run is taken back, but it runs with your rights: outside a container nothing stops it from reading your files or using the network.',
    allow: 'Type "allow" to let agents work so in this project (anything else: not now): ',
    consent: (guide: string) =>
      `Agents may not start yet (see ${guide}).\nWhen you agree: dure init --allow-bypass`,
  },
};

/** An error as people read it. */
export interface Told {
  readonly message: string;
  readonly suggestions: readonly string[];
}
export type CliWords = typeof en;
