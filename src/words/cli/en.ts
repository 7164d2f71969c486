/** The English catalogue of the command line. It defines the type of all catalogues. */

import type { UndefendedCounts } from '../../core/policy/criteria/lines-defended-by-tests.ts';
import type { CriterionExamSummary } from '../../core/policy/criteria/summarize-criterion-exam.ts';
import type { DureError } from '../../errors.ts';
import type { Crp } from '../../formats/crp-and-vcr.ts';
import type { JudgedCriterion } from '../../formats/exam/criteria-report.ts';
import type { TestCounts } from '../../formats/test-config-and-results.ts';
import { enLines } from '../en-defended-lines.ts';
import { checkStatus, enEvent } from '../en-events.ts';
import { enAcceptedAs, enCriterionKind, enFileKind, enPackWarnings } from '../en-pack.ts';
import { enSandbox } from '../en-sandbox.ts';
import { enApprove } from './en-approve.ts';
import { enRecordedDecisions } from './en-decision-proofs.ts';
import { enDemo } from './en-demo.ts';
import { enDoctor } from './en-doctor.ts';
import { enClean, enInit } from './en-init-clean.ts';
import { enProve } from './en-prove.ts';

const phases: Record<string, string> = {
  waiting_human: 'waiting for you',
  ready_for_merge: 'ready for merge',
};

export const enCli = {
  /** An event as one line of plain text. */
  event: enEvent,
  /** Dure's reason for lowering a verdict; an agent's reason may precede Dure's. */
  lowered: (text: string): string => text,
  /** Dure's reason for the status of a criterion. */
  reason: (text: string): string => text,
  error: ({ message, suggestions }: DureError): ErrorText => ({ message, suggestions }),
  errorHead: 'Error:',
  warningHead: 'Warning:',
  tryHead: 'Try:',

  phase: (id: string): string => phases[id] ?? id,
  role: (id: string): string => id,
  step: (role: string, step: string): string => `${role}: ${step}`,
  status: (id: string): string => (id === 'waiting_human' ? 'waiting for you' : id),
  machine: (id: string): string => id,
  check: checkStatus,
  regressions: (n: number) => (n === 1 ? '1 regression' : `${n} regressions`),
  units: { h: 'h', m: 'm', s: 's' },
  round: (iteration: number, most: number) => `iteration ${iteration} of ${most}`,
  fixing: (n: number) => `minor fix ${n}`,
  attempt: (n: number) => `attempt ${n}`,
  costUnknown: 'cost unknown',
  atLeast: (usd: string) => `at least ${usd}`,
  ofBudget: (spent: string, budget: string) => `${spent} of ${budget}`,
  counts: ({ total, passed, failed, skipped }: TestCounts) =>
    `${passed} of ${total} passed${failed ? `, ${failed} failed` : ''}${skipped ? `, ${skipped} skipped` : ''}`,
  covered: (percent: number) => `${percent}% covered`,

  status_view: {
    because: 'Reason',
    budget: 'Budget',
    lowered: (claimed: string, why: string) => `the Gatekeeper said ${claimed}; ${why}`,
    answer: (crp: string) => `The run asks you a question (${crp}).`,
    approval: 'The merge-readiness pack is waiting for your decision.',
    recovery: 'No process is driving the run. Nothing is lost.',
    damaged: 'The run will not resume by itself. See what is left:',
    delayed: (who: string, reason: string) => `The ${who} is waiting for its API: ${reason}.`,
    late: (who: string) => `The ${who} has exceeded its time limit and is still running.`,
    broughtOver: (from: string) => `Imported from ${from}.`,
  },
  progress: {
    setup: 'Dure is preparing the worktree',
    proof: 'Dure is running the tests',
    exam: 'Dure is examining the tests',
    checks: "Dure is running the project's own checks",
    starting: 'starting',
    goesOn: 'continues',
    asks: 'asks you',
    asked: 'asked',
  },
  question: {
    asks: (who: string) => (who === 'dure' ? 'Dure asks' : `The ${who} asks`),
    kind: (type: string): string => type,
    shown: (crp: Crp): Crp => crp,
    recommended: 'recommended',
    risk: (text: string) => `Risk: ${text}`,
    choice: (options: number, takes: { recommendation: boolean; words: boolean; amount: boolean }) =>
      `Your choice (1-${options}${takes.words ? ', o: your own words' : ''}${takes.amount ? ', $20: add this amount' : ''}${takes.recommendation ? ', Enter: recommended' : ''}): `,
    ownWords: 'Your answer: ',
    why: 'Why? (press Enter to skip) ',
    remember: 'Apply this decision to later runs too?',
    answerWith: 'Answer with:',
  },
  ready: {
    title: 'Ready for merge',
    decide: 'Review it, then decide:',
  },
  sandbox: { ...enSandbox, unknown: 'reason unknown' },
  lines: enLines,
  criteria: {
    title: 'Acceptance criteria',
    kind: enCriterionKind,
    status: (status: JudgedCriterion['status'], tests: number): string =>
      ({
        fails: 'FAILS: one of its tests fails on the result',
        'could-not-run': 'COULD NOT RUN',
        'not-claimed': 'NOT CLAIMED',
        passes: `${tests} ${tests === 1 ? 'test passes' : 'tests pass'} on the result`,
        confirmed: 'CONFIRMED',
        look: 'cannot be tested',
      })[status],
    unexamined: (facts: string): string => `not examined: ${facts}`,
    cutShort: (facts: string): string => `not fully examined: ${facts}`,
    unconfirmed: (why: string, facts: string): string => `not confirmed: ${why} (${facts})`,
    confirmed: (n: number, of: number): string => `${n} of ${of} confirmed`,
    looks: ({ before, rounds, noticed, proving }: CriterionExamSummary): string =>
      `${before}→green ×${rounds}${noticed > 0 ? ` · fails in ${noticed} broken version${noticed === 1 ? '' : 's'}` : ''}${proving ? ` · proven by ${proving.count} of ${proving.of} tests` : ''}`,
    read: 'Read',
    undefended: ({ lines, places, moved }: UndefendedCounts): string =>
      `${
        lines > 0
          ? `${lines === 1 ? '1 undefended line' : `${lines} undefended lines`}`
          : `${places === 1 ? '1 undefended place' : `${places} undefended places`}`
      }${moved > 0 ? ` (${moved} only moved)` : ''}`,
    weak: (lines: number): string => (lines === 1 ? '1 weak line' : `${lines} weak lines`),
    exam: 'Exam',
    faults: (killed: number, tried: number): string =>
      `the tests noticed ${killed} of ${tried} planted faults`,
    unexaminedLines:
      'The exam did not remove any changed lines, so it is not known which of them are undefended.',
    incomplete: (lines: number): string =>
      lines > 0
        ? `ran out of time: ${lines === 1 ? '1 changed line' : `${lines} changed lines`} not examined`
        : 'ran out of time before everything was tried',
  },
  pack: {
    title: 'The merge-readiness pack',
    evidence: 'Evidence',
    wholeSummary: 'Summary',
    summary: 'Summary (mrp/summary.md)',
    or: (flags: string) => `or ${flags}`,
    keep: 'Changes were requested for this pack, so it cannot be approved. To keep its result on a branch:',
    tests: 'Tests',
    byDure: (result: string) => `${result}, run by Dure`,
    checks: 'Checks',
    noChecks: "none ran: the project's own tests were not rerun",
    command: 'Command',
    exit: (code: number | null) => (code === null ? 'killed by a signal' : `exit ${code}`),
    sandbox: 'Sandbox',
    agents: 'Agents',
    kind: enFileKind,
    warning: enPackWarnings,
    author: 'Written by',
    coverage: 'Coverage',
    unmeasured: 'not measured',
    ofLines: (percent: number) => `${percent}% of all lines`,
    inNoReport: (path: string) => `${path} has changed, but is not in any coverage report`,
    ofChanged: (percent: number) => `${percent}% of the added and changed lines`,
    verdict: 'Verdict',
    acceptedAs: enAcceptedAs,
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
    tooLarge: (megabytes: number, file: string) => `Too large to show (${megabytes} MB): see ${file}.`,
  },
  start: {
    acceptCommands: 'Allow all of these in this and later runs?',
    what: 'What should be done? ',
    notSetUp: 'This project is not set up yet.',
    isUnlimited:
      'Nothing limits the cost of this run. To limit it, use `--budget USD`, or for every run `dure config set budget_usd USD`.',
    attach: (command: string) => `Watch the agents: ${command}`,
    detached: (command: string) => `The run continues in the background. Follow it:\n  ${command}`,
    otherPort: (url: string) =>
      `The pages are already being served at ${url}. --port applies only when no server is running.`,
    left: (run: string, watch: string, stop: string) =>
      `${run} continues in the background. Follow it again, or stop it:\n  ${watch}\n  ${stop}`,
    missing: (files: string) =>
      `These files of the base commit are missing from the run, or contain only what git stores in their place: ${files}. \`dure doctor\` shows how to get them.`,
    notIncluded: (files: string, more: number) =>
      `Your uncommitted changes are not included: ${files}${more > 0 ? ` and ${more} more` : ''}. (Use --include-changes to include them.)`,
  },
  goesOn: (run: string, command: string) => `${run} continues. Follow it:\n  ${command}`,
  buildsAgain: (run: string, command: string) =>
    `${run} is rebuilding with your feedback. Follow it:\n  ${command}`,
  keepsEnvironment: (lacks: 'credentials' | 'consent', backend: string) =>
    lacks === 'credentials'
      ? `This shell has no credentials for ${backend}: the run keeps its current environment.`
      : `This shell does not set IS_SANDBOX=1, which ${backend} needs here: the run keeps its current environment.`,
  editsSaved: (ref: string) =>
    `The run's worktree was edited after the result was sealed. These edits are not part of the result; they are saved in git as ${ref}.`,
  isNow: (run: string, phase: string) => `${run} is ${phase}.`,
  pages: {
    at: (address: string) => `Pages: ${address}`,
    opened: 'Opened in your browser.',
    write: (address: string) => `Write the briefing on the page that opens: ${address}`,
  },
  suspended: (pid: number) =>
    `The process that drives this run (PID ${pid}) is suspended: resume it with \`kill -CONT ${pid}\`, or with \`fg\` in its terminal.`,
  waitsForDriver: (run: string) => `Waiting for the process that drives ${run} to handle this request…`,
  waits: (run: string, command: string) => `${run} is waiting for you: ${command}`,
  retried: (run: string, who: string) => `${run}: restarting the ${who}.`,
  extended: (run: string, who: string, span: string) =>
    `${run}: extended the time limit of the ${who} by ${span}.`,
  noRuns: 'No runs yet. Start one: dure start "what to do"',
  imported: '(imported)',
  inbox: {
    empty: 'Nothing is waiting for you.',
    heading: {
      answer: (n: number) => (n === 1 ? '1 question' : `${n} questions`),
      approval: (n: number) => (n === 1 ? '1 pack to review' : `${n} packs to review`),
      time: (n: number) => (n === 1 ? '1 agent over its time limit' : `${n} agents over their time limit`),
      recovery: (n: number) => (n === 1 ? '1 interrupted run' : `${n} interrupted runs`),
    },
    unread: (n: number) => `${n} unreadable`,
    waits: (duration: string) => `waiting for ${duration}`,
  },
  decisions: enRecordedDecisions,
  verify: {
    log: 'events.log: the chain of lines is unbroken',
    state: 'state.json matches events.log',
    decisions: 'recorded decisions have valid proofs and signatures',
    seals: 'sealed trees are complete in git',
    bundles: 'seal bundles can be unpacked',
    pack: 'the merge-readiness pack has not changed since it was created',
  },
  bundle: {
    written: (file: string, kilobytes: number, signed: boolean) =>
      `Wrote ${file} (${kilobytes} kB, ${signed ? 'signed' : 'not signed'}). To check it in another clone: dure prove FILE`,
    needs: (commits: string) => `The other clone needs the base commit ${commits}.`,
    pushed: (remote: string) => `Pushed the pack to ${remote}.`,
  },
  prove: enProve,
  recover: {
    none: 'There are no interrupted runs.',
    was: (phase: string) => `was in ${phase}`,
    how: (one: string, all: string) => `Resume one: ${one}; resume all: ${all}`,
    damaged: 'its log is damaged',
    kept: (branch: string, commit: string) =>
      `${branch} is at the last sealed result (${commit}). Nobody has reviewed or approved it.`,
  },
  serve: {
    standingBy: (pid: number) => `Process ${pid} leads this project; this one is on standby.`,
    taken: (port: number) => `Port ${port} is in use.`,
    pages: (url: string) => `Pages: ${url}`,
    withoutPages: (why: string) => `The pages are not available: ${why}`,
  },
  init: enInit,
  clean: enClean,
  doctor: enDoctor,
  config: {
    right: (folder: string) => `The configuration in ${folder} is valid.`,
  },
  open: {
    shell: (run: string, folder: string) =>
      `This is a copy of the result of ${run}, in ${folder}. It is deleted when you exit this shell.`,
    setUpFailed: (problem: string) => `The set-up failed: ${problem}`,
    notSealed: (run: string, refs: string) =>
      `Edits in this folder do not change the sealed result of ${run}. Before Dure resets or removes the folder, it saves them in git, under ${refs}.`,
  },
  approve: enApprove,
  plugins: {
    none: 'No plugins are installed.',
    unloadable: 'cannot be loaded',
  },
  demo: enDemo,
  setUp: {
    sandbox: 'Run agents in a sandbox that hides your files from them? (sandbox.mode standard)',
    sandboxSlow: 'Still checking whether a sandbox works on this machine…',
    warning:
      'Agents run without permission prompts (the "bypass permissions" mode of their CLI). They work in a separate git worktree, and Dure reverts any changes they make to other files of the run. They still run with your permissions: outside a container, nothing stops an agent from reading your files or using the network.',
    allow: 'Type "allow" to let agents run like this in this project, or anything else to skip this step: ',
    consent: (guide: string) =>
      `Agents are not allowed to start yet (see ${guide}).\nTo let them start: dure init --allow-bypass`,
  },
};

/** An error message with suggestions. */
export interface ErrorText {
  readonly message: string;
  readonly suggestions: readonly string[];
}
export type CliWords = typeof enCli;
