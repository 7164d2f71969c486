/** Fixture: the exam of tests that passed on the result, on real checkouts with a real runner. */
import { spawnSync } from 'node:child_process';
import { expect } from 'vitest';
import type { Criterion } from '../../../src/formats/exam/acceptance-criteria.ts';
import { runExam } from '../../../src/proof/exam/run-exam.ts';
import { proveLaunch } from '../../../src/proof/run-proof.ts';
import { project } from '../sealed-project.ts';

export type Files = Readonly<Record<string, string>>;

/** The budget is larger than it needs to be, because the machine may be busy. */
export const SETTINGS = { rounds: 2, budget_s: 1500, mutants: 8 };
export const LIMIT_MS = 1_800_000;

export const NO_PYTEST = spawnSync('python3', ['-m', 'pytest', '--version']).status !== 0;
export const NO_GO = spawnSync('go', ['version']).status !== 0;

export interface More {
  /** Ids of criteria that hold before and after the change. */
  readonly keeps?: readonly string[];
  readonly settings?: Partial<typeof SETTINGS>;
  /** A set-up, which runs without a sandbox. */
  readonly setup?: string;
}

/** The criteria of the tests' titles, as the exam judges them. */
export async function examined(base: Files, result: Files, tests: Files, command: string, more: More = {}) {
  const { job } = await project(base);
  const { keeps = [], setup = null } = more;
  const settings = { ...SETTINGS, ...more.settings };
  const sealed = await job(result, tests, command, { setup });
  const proof =
    setup === null ? sealed : { ...sealed, env: { ...process.env, CI: undefined, DURE_SANDBOX: 'none' } };
  expect((await proveLaunch(proof)).machine).toBe('pass');
  const ids = new Set(
    Object.values(tests).flatMap(text => [...text.matchAll(/(?:AC-?|_ac)(\d+)/g)].map(([, n]) => `AC-${n}`)),
  );
  const criteria = [...ids].map(
    (id): Criterion => ({ id, kind: keeps.includes(id) ? 'keeps' : 'behaviour', text: 'a' }),
  );
  const output = await runExam({
    ...proof,
    job: { ...proof.job, criteria, settings, may_question: false },
  });
  return {
    output,
    shown: Object.fromEntries(
      output.criteria.map(({ id, status, failed }) => [id, [status, failed].filter(Boolean).join(' ')]),
    ),
  };
}

/**
 * What is expected if the tests of the first criteria check only that a member exists, and those from AC-11 on check its
 * value.
 */
export const valuesConfirmed = (count: number) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, n) => [
      [`AC-${n + 1}`, 'not-claimed kill'],
      [`AC-${n + 11}`, 'confirmed'],
    ]).flat(),
  );
