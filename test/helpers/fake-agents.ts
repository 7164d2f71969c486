/**
 * Scripted agents and a scripted user for a run in a folder. Each claimed launch plays the next behaviour of its kind,
 * one action per tick. After the end of the script everything succeeds, so that every run ends.
 */
import { mayTakeRecommendation } from '../../src/core/policy/dure-questions.ts';
import { sealedResult, sealedTests } from '../../src/core/policy/pipeline.ts';
import { canExtendExam } from '../../src/core/policy/rerun-automated-steps.ts';
import type { RunState } from '../../src/formats/state.ts';
import type { TestOutput } from '../../src/formats/test-run-files.ts';
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
export const PEOPLE = [
  'approve',
  'approve another',
  'approve in vain',
  'feedback',
  'rebase',
  'rebase with a conflict',
  'extend the exam',
] as const;
export const IMPATIENCE = ['retry', 'extend', 'wait'] as const;

export interface Script {
  readonly agents: readonly (typeof AGENTS)[number][];
  readonly tests: readonly (typeof TESTS)[number][];
  /** Whether the refined briefing has an acceptance criterion; without one, there is no exam. */
  readonly criteria: boolean;
  readonly exams: readonly (typeof EXAMS)[number][];
  readonly verdicts: readonly (typeof VERDICTS)[number][];
  /** Which option the user selects for each question. */
  readonly answers: readonly number[];
  readonly people: readonly (typeof PEOPLE)[number][];
  readonly impatience: readonly (typeof IMPATIENCE)[number][];
}

type Act = () => void;

const COST: Partial<Record<Script['agents'][number], number>> = { spends: 2, 'reaches its budget': 1 };

/** If a run needs more than this, it is in an infinite loop. */
const MOST_JUMPS = 5000;

export interface Cast {
  /** Performs one action. Returns false if none is possible. */
  tick(): boolean;
}

/** The agents and the user of a run. They know nothing about drivers or power failures. */
export function castOf(run: RunInFolder, script: Script): Cast {
  const acts = new Map<number, Act[]>();
  const next = { agents: 0, tests: 0, exams: 0, verdicts: 0, people: 0, impatience: 0 };
  const play = <K extends keyof typeof next>(kind: K): Script[K][number] | undefined =>
    script[kind][next[kind]++];
  let jumps = 0;

  return {
    tick() {
      return begins() || acted() || decides() || waits() || wasEnded();
    },
  };

  function begins(): boolean {
    return run.claim();
  }

  function acted(): boolean {
    for (const process of run.processes.values()) {
      if (!acts.has(process.launch)) acts.set(process.launch, partOf(process));
      const act = process.alive ? acts.get(process.launch)!.shift() : undefined;
      if (!act) continue;
      run.clock += 100;
      act();
      return true;
    }
    return false;
  }

  function partOf(process: Process): Act[] {
    if (process.step === 'execute') return testing(process, play('tests') ?? 'pass');
    if (process.step === 'exam') return examining(process, play('exams') ?? 'ok');
    const how = play('agents') ?? 'ok';
    // Fixed in advance, because the cost of a run must not depend on whether an agent exited or was stopped.
    process.cost = COST[how] ?? 0.1;
    return working(process, how);
  }

  /** The user's reaction to the last recorded state. */
  function decides(): boolean {
    const s = run.truth;
    if (s.waiting && !run.answers.some(vcr => vcr.crp_id === s.waiting!.crp))
      return !isLeftToDure(s, s.waiting.crp) && answersTo(s, s.waiting.crp);
    if (s.phase === 'ready_for_merge') return rules(s);
    return s.timeout_noticed && !s.ended && loses(s);
  }

  /** With --yes, the user does not answer a question if Dure is about to select its recommendation. */
  function isLeftToDure(s: RunState, crp: string): boolean {
    return (
      s.setup.take_recommendations &&
      mayTakeRecommendation(s) &&
      run.question(crp).recommendation !== undefined
    );
  }

  function answersTo({ setup }: RunState, crp: string): boolean {
    const options = run.question(crp).options.map(option => option.id);
    const number = Number(crp.slice('crp-'.length));
    // After the end of the script the first option is selected, which continues the run.
    const wanted = options[(script.answers[number] ?? 0) % options.length]!;
    run.clock += 1000;
    run.answer(crp, wanted, setup.budget_usd === null ? '' : 'as you like');
    return true;
  }

  function rules(s: RunState): boolean {
    const asked = (['approve', 'rebase', 'exam'] as const).some(name => run.pending(name));
    if (asked || run.hasFeedback) return false;
    run.clock += 1000;
    const asked_at = run.now;
    const tree = s.mrp!.tree;
    const how = play('people') ?? 'approve';
    run.blocksMerge(how === 'approve in vain');
    if (how === 'rebase' || how === 'rebase with a conflict') {
      const base = run.movesBranch(
        how === 'rebase' ? `b${s.seq}.txt` : 'a.txt',
        `of a colleague, ${s.seq}\n`,
      );
      run.requests('rebase', { asked_at, base, onto: 'main' });
    } else if (how === 'extend the exam' && canExtendExam(s))
      run.requests('exam', { asked_at, budget_s: 60 });
    else if (how === 'feedback')
      run.givesFeedback({ asked_at, tree, feedback: 'name it better', comments: [] });
    else
      run.requests('approve', {
        asked_at,
        tree: how === 'approve another' ? 'f'.repeat(40) : tree,
        how: 'merge',
        tests: 'leave',
        hooks: 'run',
      });
    return true;
  }

  function loses(s: RunState): boolean {
    const isLeft = (['retry', 'extend'] as const).some(name => {
      const wish = run.pending(name);
      return wish !== null && wish.asked_at >= s.since!;
    });
    if (isLeft) return false;
    run.clock += 1000;
    const wish = play('impatience') ?? 'retry';
    if (wish === 'retry') run.requests('retry', { asked_at: run.now });
    if (wish === 'extend') run.requests('extend', { asked_at: run.now, ms: 60_000 });
    return true;
  }

  /** Advances the clock. This only helps if a process is alive or a launch is scheduled for later. */
  function waits(): boolean {
    const alive = [...run.processes.values()].some(process => process.alive);
    if (!alive && run.truth.not_before === null) return false;
    run.clock += 120_000;
    jumps += 1;
    return jumps < MOST_JUMPS;
  }

  /** The driver itself stopped an agent, which its next observation will detect. */
  function wasEnded(): boolean {
    jumps += 1;
    return jumps < MOST_JUMPS && run.truth.open.some(({ launch }) => !run.processes.get(launch)?.alive);
  }

  function working(process: Process, how: Script['agents'][number]): Act[] {
    const { launch, role } = process;
    const step = run.truth.setup.pipeline.find(one => one.name === process.step)!;
    const flag = flagOf(step);
    const ends: Act = () => run.exits(launch);
    const breaks = (kind: 'crash' | 'permission'): Act => {
      return () => run.exits(launch, { outcome: 'error', kind, code: 1, message: kind });
    };
    const leaves: Act = () => {
      for (const output of step.outputs) if (output !== flag) run.writes(output, contentOf(output));
      if (step.yields === 'tree') run.writes('builder/output', `written by launch ${launch}`);
    };
    const flags: Act = () => run.writes(flag, step.yields === 'verdict' ? verdict() : undefined);
    const asks = (id: number, text: string): Act => {
      const name = `crp-${String(id).padStart(3, '0')}`;
      return () => run.asks(name, JSON.stringify(sampleQuestion(name, role, text)));
    };
    const mumbles: Act = () => run.asks(`crp-${900 + launch}`, '{ "crp_id": ');
    const consults = (question: unknown): Act => {
      return () => run.exits(launch, { outcome: 'deferred', session: `s${launch}`, question });
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
        return [() => run.dies(launch)];
      case 'sets error.flag':
        return [() => run.writes(`${step.folder}/error.flag`, 'it is too hard'), breaks('crash')];
      case 'hangs':
        return [];
      case 'leaves nothing':
        return [ends];
      case 'leaves something invalid':
        return [() => run.writesBadly(step.outputs[0] ?? flag), ends];
      case 'corrects itself': {
        // Without a required output (a Builder, the set-up) only the flag counts, so it comes last.
        const required = step.outputs.find(output => output !== flag);
        return required === undefined
          ? [leaves, flags, ends]
          : [() => run.writesBadly(required), flags, leaves, flags, ends];
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
        return [mumbles, ends];
      case 'asks badly beside a result':
        return [mumbles, leaves, flags, ends];
      case 'consults': {
        const { crp_id, created_by, status, ...question } = sampleQuestion('crp-000', role, 'This or that?');
        return [consults(question)];
      }
      case 'consults badly':
        return [consults({ question: '' })];
      case 'is rate limited': {
        const until = new Date(Date.parse(run.now) + 3_600_000).toISOString();
        return [() => run.exits(launch, { outcome: 'rate-limited', retry_at: until })];
      }
      case 'is rate limited without end':
        return [() => run.exits(launch, { outcome: 'rate-limited' })];
      case 'spends':
        return [leaves, flags, () => run.exits(launch)];
      case 'reaches its budget':
        return [() => run.exits(launch, { outcome: 'budget', message: 'the budget was reached' })];
    }
  }

  function contentOf(output: string): unknown {
    if (output === 'gatekeeper/verdict.json') return verdict();
    return output === 'briefing/refined.md' && script.criteria
      ? '## Acceptance criteria\n- AC-1: it works\n'
      : undefined;
  }

  function examining({ launch }: Process, how: Script['exams'][number]): Act[] {
    if (how === 'hang') return [];
    if (how === 'crash') return [() => run.dies(launch)];
    const writes = () => run.writes('verifier/exam.json', sampleExam(run.truth, how));
    return [writes, () => run.exits(launch)];
  }

  function verdict(): unknown {
    const verdict = play('verdicts') ?? 'PASS';
    return verdict === 'FAIL for wrong tests'
      ? { verdict: 'FAIL', reason: 'as reviewed', fault: 'tests' }
      : { verdict, reason: 'as reviewed' };
  }

  function testing({ launch }: Process, how: Script['tests'][number]): Act[] {
    if (how === 'hang') return [];
    if (how === 'crash') return [() => run.dies(launch)];
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
      tree: sealedResult(run.truth)!.tree,
      tests_tree: sealedTests(run.truth)!.tree,
    });
    return [() => run.writes('verifier/test-output.json', output()), () => run.exits(launch)];
  }
}
