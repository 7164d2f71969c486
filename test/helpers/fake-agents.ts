/**
 * Scripted agents and a scripted user for a run in a folder. Each claimed launch plays the next behaviour of its kind,
 * one action per tick. After the end of the script everything succeeds, so that every run ends.
 */

import { canExtendExam } from '../../src/core/policy/pipeline/rerun-automated-steps.ts';
import { mayTakeRecommendation } from '../../src/core/policy/questions/dure-questions-and-answers.ts';
import { sealedResult, sealedTests } from '../../src/core/policy/state/sealed-trees.ts';
import { PACK_REQUESTS } from '../../src/formats/requests-and-feedback.ts';
import type { RunState } from '../../src/formats/state.ts';
import type { TestOutput } from '../../src/formats/test-config-and-results.ts';
import { flagOf, type Process, type RunInFolder, sampleExam, sampleQuestion } from './run-in-folder.ts';

export const AGENTS = [
  'ok',
  'forgets its flag',
  'straggles',
  'crashes',
  'is killed',
  'sets error.flag',
  'hangs',
  'leaves nothing',
  'leaves something invalid',
  'corrects itself',
  'asks',
  'asks and stays',
  'asks twice',
  'asks under an old id',
  'asks badly',
  'asks badly beside a result',
  'consults',
  'consults badly',
  'is rate limited',
  'is rate limited without end',
  'spends',
  'reaches its budget',
  'may not',
] as const;
export const TESTS = [
  'pass',
  'pass with little coverage',
  'fail few',
  'fail many',
  'could not run',
  'could not be set up',
  'crash',
  'hang',
] as const;
export const EXAMS = ['ok', 'unfinished', 'hollow', 'crash', 'hang'] as const;
export const VERDICTS = ['PASS', 'MINOR_FAIL', 'FAIL', 'FAIL for wrong tests', 'NEEDS_HUMAN'] as const;
export const REVIEWS = [
  'approve',
  'approve another',
  'approve in vain',
  'feedback',
  'rebase',
  'rebase with a conflict',
  'extend the exam',
] as const;
export const TIMEOUT_REACTIONS = ['retry', 'extend', 'wait'] as const;

export interface Script {
  readonly agents: readonly (typeof AGENTS)[number][];
  readonly tests: readonly (typeof TESTS)[number][];
  /** Whether the refined briefing has an acceptance criterion; without one, there is no exam. */
  readonly criteria: boolean;
  readonly exams: readonly (typeof EXAMS)[number][];
  readonly verdicts: readonly (typeof VERDICTS)[number][];
  /** Which option the user selects for each question. */
  readonly answers: readonly number[];
  readonly reviews: readonly (typeof REVIEWS)[number][];
  readonly timeoutReactions: readonly (typeof TIMEOUT_REACTIONS)[number][];
}

type Action = () => void;

const COST: Partial<Record<Script['agents'][number], number>> = { spends: 2, 'reaches its budget': 1 };

/** If a run needs more than this, it is in an infinite loop. */
const MAX_JUMPS = 5000;

export interface FakeActors {
  /** Performs one action. Returns false if none is possible. */
  tick(): boolean;
}

/** The agents and the user of a run. They know nothing about drivers or power failures. */
export function fakeActors(run: RunInFolder, script: Script): FakeActors {
  const actions = new Map<number, Action[]>();
  const next = { agents: 0, tests: 0, exams: 0, verdicts: 0, reviews: 0, timeoutReactions: 0 };
  const nextInScript = <K extends keyof typeof next>(kind: K): Script[K][number] | undefined =>
    script[kind][next[kind]++];
  let jumps = 0;

  return {
    tick() {
      return claimLaunches() || performNextAction() || decide() || advanceClock() || stoppedByDriver();
    },
  };

  function claimLaunches(): boolean {
    return run.claim();
  }

  function performNextAction(): boolean {
    for (const process of run.processes.values()) {
      if (!actions.has(process.launch)) actions.set(process.launch, actionsOf(process));
      const act = process.alive ? actions.get(process.launch)!.shift() : undefined;
      if (!act) continue;
      run.clock += 100;
      act();
      return true;
    }
    return false;
  }

  function actionsOf(process: Process): Action[] {
    if (process.step === 'execute') return testActions(process, nextInScript('tests') ?? 'pass');
    if (process.step === 'exam') return examActions(process, nextInScript('exams') ?? 'ok');
    const how = nextInScript('agents') ?? 'ok';
    // Fixed in advance, because the cost of a run must not depend on whether an agent exited or was stopped.
    process.cost = COST[how] ?? 0.1;
    return agentActions(process, how);
  }

  /** The user's reaction to the last recorded state. */
  function decide(): boolean {
    const s = run.state;
    if (s.waiting && !run.answers.some(vcr => vcr.crp_id === s.waiting!.crp))
      return !isLeftToDure(s, s.waiting.crp) && answerQuestion(s, s.waiting.crp);
    if (s.phase === 'ready_for_merge') return reviewResult(s);
    return s.timeout_noticed && !s.ended && reactToTimeout(s);
  }

  /** With --yes, the user does not answer a question if Dure is about to select its recommendation. */
  function isLeftToDure(s: RunState, crp: string): boolean {
    return (
      s.setup.take_recommendations &&
      mayTakeRecommendation(s) &&
      run.question(crp).recommendation !== undefined
    );
  }

  function answerQuestion({ setup }: RunState, crp: string): boolean {
    const options = run.question(crp).options.map(option => option.id);
    const number = Number(crp.slice('crp-'.length));
    // After the end of the script the first option is selected, which continues the run.
    const option = options[(script.answers[number] ?? 0) % options.length]!;
    run.clock += 1000;
    run.answer(crp, option, setup.budget_usd === null ? '' : 'as you like');
    return true;
  }

  function reviewResult(s: RunState): boolean {
    const hasPendingRequest = PACK_REQUESTS.some(name => run.pending(name));
    if (hasPendingRequest || run.hasFeedback) return false;
    run.clock += 1000;
    const asked_at = run.now;
    const tree = s.mrp!.tree;
    const how = nextInScript('reviews') ?? 'approve';
    run.blockMerge(how === 'approve in vain');
    if (how === 'rebase' || how === 'rebase with a conflict') {
      const base = run.commitToBranch(
        how === 'rebase' ? `b${s.seq}.txt` : 'a.txt',
        `of a colleague, ${s.seq}\n`,
      );
      run.request('rebase', { asked_at, base, onto: 'main' });
    } else if (how === 'extend the exam' && canExtendExam(s)) run.request('exam', { asked_at, budget_s: 60 });
    else if (how === 'feedback')
      run.giveFeedback({ asked_at, tree, feedback: 'name it better', comments: [] });
    else
      run.request('approve', {
        asked_at,
        tree: how === 'approve another' ? 'f'.repeat(40) : tree,
        how: 'merge',
        tests: 'leave',
        hooks: 'run',
      });
    return true;
  }

  function reactToTimeout(s: RunState): boolean {
    const isLeft = (['retry', 'extend'] as const).some(name => run.pending(name)?.launch === s.launch);
    if (isLeft) return false;
    run.clock += 1000;
    const reaction = nextInScript('timeoutReactions') ?? 'retry';
    if (reaction === 'retry') run.request('retry', { asked_at: run.now, launch: s.launch });
    if (reaction === 'extend') run.request('extend', { asked_at: run.now, launch: s.launch, ms: 60_000 });
    return true;
  }

  /** Advances the clock. This only helps if a process is alive or a launch is scheduled for later. */
  function advanceClock(): boolean {
    const alive = [...run.processes.values()].some(process => process.alive);
    const { not_before, launch } = run.state;
    if (!alive && not_before === null) return false;
    // Or the user does not want to wait for the rate limit.
    if (!alive && !run.pending('retry') && nextInScript('timeoutReactions') === 'retry') {
      run.request('retry', { asked_at: run.now, launch });
      return true;
    }
    run.clock += 120_000;
    jumps += 1;
    return jumps < MAX_JUMPS;
  }

  /** The driver itself stopped an agent, which its next observation will detect. */
  function stoppedByDriver(): boolean {
    jumps += 1;
    return jumps < MAX_JUMPS && run.state.open.some(({ launch }) => !run.processes.get(launch)?.alive);
  }

  function agentActions(process: Process, how: Script['agents'][number]): Action[] {
    const { launch, role } = process;
    const step = run.state.setup.pipeline.find(one => one.name === process.step)!;
    const flag = flagOf(step);
    const ends: Action = () => run.exit(launch);
    const breaks = (kind: 'crash' | 'permission'): Action => {
      return () => run.exit(launch, { outcome: 'error', kind, code: 1, message: kind });
    };
    const leaves: Action = () => {
      for (const output of step.outputs) if (output !== flag) run.write(output, contentOf(output));
      if (step.yields === 'tree') run.write('builder/output', `written by launch ${launch}`);
    };
    const flags: Action = () => run.write(flag, step.yields === 'verdict' ? verdict() : undefined);
    const asks = (id: number, text: string): Action => {
      const name = `crp-${String(id).padStart(3, '0')}`;
      return () => run.ask(name, JSON.stringify(sampleQuestion(name, role, text)));
    };
    const asksBadly: Action = () => run.ask(`crp-${900 + launch}`, '{ "crp_id": ');
    const consults = (question: unknown): Action => {
      return () => run.exit(launch, { outcome: 'deferred', session: `s${launch}`, question });
    };
    switch (how) {
      case 'ok':
        return [leaves, flags, ends];
      case 'forgets its flag':
        return step.yields === 'verdict' ? [flags, ends] : [leaves, ends];
      case 'straggles':
        return [leaves, flags, () => {}, () => {}, () => {}, ends];
      case 'crashes':
        return [breaks('crash')];
      case 'may not':
        return [breaks('permission')];
      case 'is killed':
        return [() => run.kill(launch)];
      case 'sets error.flag':
        return [() => run.write(`${step.folder}/error.flag`, 'it is too hard'), breaks('crash')];
      case 'hangs':
        return [];
      case 'leaves nothing':
        return [ends];
      case 'leaves something invalid':
        return [() => run.writeInvalid(step.outputs[0] ?? flag), ends];
      case 'corrects itself': {
        // Without a required output (a Builder, the set-up) only the flag counts, so it comes last.
        const required = step.outputs.find(output => output !== flag);
        return required === undefined
          ? [leaves, flags, ends]
          : [() => run.writeInvalid(required), flags, leaves, flags, ends];
      }
      case 'asks':
        return [asks(launch * 10, 'This or that?'), ends];
      case 'asks and stays':
        return [asks(launch * 10, 'This or that?')];
      case 'asks twice':
        return [asks(launch * 10, 'This or that?'), asks(launch * 10 + 1, 'And here?'), ends];
      case 'asks under an old id':
        return [asks(1, `This or that, asks launch ${launch}?`), ends];
      case 'asks badly':
        return [asksBadly, ends];
      case 'asks badly beside a result':
        return [asksBadly, leaves, flags, ends];
      case 'consults': {
        const { crp_id, created_by, status, ...question } = sampleQuestion('crp-000', role, 'This or that?');
        return [consults(question)];
      }
      case 'consults badly':
        return [consults({ question: '' })];
      case 'is rate limited': {
        const until = new Date(Date.parse(run.now) + 3_600_000).toISOString();
        return [() => run.exit(launch, { outcome: 'rate-limited', retry_at: until })];
      }
      case 'is rate limited without end':
        return [() => run.exit(launch, { outcome: 'rate-limited' })];
      case 'spends':
        return [leaves, flags, () => run.exit(launch)];
      case 'reaches its budget':
        return [() => run.exit(launch, { outcome: 'budget', message: 'the budget was reached' })];
    }
  }

  function contentOf(output: string): unknown {
    if (output === 'gatekeeper/verdict.json') return verdict();
    return output === 'briefing/refined.md' && script.criteria
      ? '## Acceptance criteria\n- AC-1: it works\n'
      : undefined;
  }

  function examActions({ launch }: Process, how: Script['exams'][number]): Action[] {
    if (how === 'hang') return [];
    if (how === 'crash') return [() => run.kill(launch)];
    const writes = () => run.write('verifier/exam.json', sampleExam(run.state, how));
    return [writes, () => run.exit(launch)];
  }

  function verdict(): unknown {
    const verdict = nextInScript('verdicts') ?? 'PASS';
    return verdict === 'FAIL for wrong tests'
      ? { verdict: 'FAIL', reason: 'as reviewed', fault: 'tests' }
      : { verdict, reason: 'as reviewed' };
  }

  function testActions({ launch }: Process, how: Script['tests'][number]): Action[] {
    if (how === 'hang') return [];
    if (how === 'crash') return [() => run.kill(launch)];
    const machine = how.startsWith('pass') ? 'pass' : how.startsWith('could not') ? 'could-not-run' : 'fail';
    const failed = how === 'fail few' ? 1 : how === 'fail many' ? 15 : 0;
    const output = (): TestOutput => ({
      exit_code: machine === 'pass' ? 0 : 1,
      stdout: '',
      stderr: '',
      duration_ms: 0,
      executed_at: run.now,
      ...(machine !== 'could-not-run' && {
        test_results: { total: 20, passed: 20 - failed, failed, skipped: 0 },
      }),
      machine,
      ...(how === 'could not be set up' && { back_to: 'setup' }),
      ...(how === 'pass with little coverage' && { changed_coverage: 40 }),
      failures: [],
      command: 'npx vitest run',
      tree: sealedResult(run.state)!.tree,
      tests_tree: sealedTests(run.state)!.tree,
    });
    return [() => run.write('verifier/test-output.json', output()), () => run.exit(launch)];
  }
}
