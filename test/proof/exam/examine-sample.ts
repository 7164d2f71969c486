/** Fixture: the exam of a sample change, and the check of its result. */
import { spawnSync } from 'node:child_process';
import { expect } from 'vitest';
import { type Exam, exam as examShape } from '../../../src/formats/exam/exam-units-and-faults.ts';
import { breakChange } from '../../../src/proof/exam/break-change.ts';
import { placebo } from '../../../src/proof/exam/variants/ghost-and-placebo.ts';
import type { SampleChange } from './sample-changes.ts';
import { sample } from './sample-repository.ts';

export const LIMIT_MS = 1_800_000;
export const signal = new AbortController().signal;

export async function examined(
  of: SampleChange,
  more: { readonly budget_ms?: number; readonly mutants?: number } = {},
) {
  const made = await sample(of.before, of.after);
  const runVariant = made.running(of.command, of.tests);
  const headCases = await runVariant({ of: 'head', edits: new Map() }, signal);
  expect(headCases.machine, JSON.stringify(headCases)).toBe('pass');
  made.runs = 0;
  const claims = headCases.cases.map(({ id }) => {
    const kind = of.keeps?.some(end => id.endsWith(end)) ? ('keeps' as const) : ('behaviour' as const);
    return { test: id, kind };
  });
  const { repository, base, head } = made;
  const limits = { budget_ms: LIMIT_MS, mutants: 24, jobs: 2, ...more };
  const exam = await breakChange({
    repository,
    base,
    head,
    runVariant,
    headCases,
    claims,
    signal,
    ...limits,
  });
  return { made, exam: examShape.parse(exam), runVariant, headCases };
}

export const summary = ({ units }: Exam): string[] =>
  units.map(({ file, lines, at, status, with: partners }) =>
    [
      `${file}:${lines ? `${lines.first}-${lines.last}` : at} ${status}`,
      ...(status === 'together' ? [`~ ${partners?.join(' ')}`] : []),
    ].join(' '),
  );

const RUNNERS: readonly [RegExp, string, readonly string[]][] = [
  [/^python3/, 'python3', ['-m', 'pytest', '--version']],
  [/^go/, 'go', ['version']],
];

/** Why the sample cannot run here; null if it can. */
export function missing({ command }: SampleChange): string | null {
  const [, program, args] = RUNNERS.find(([used]) => used.test(command)) ?? [];
  return program && spawnSync(program, [...args!]).status !== 0 ? `${program} is not installed` : null;
}

/** Every unit has the expected status, tests have the expected kills, and the placebo changes nothing. */
export async function checkStatuses(of: SampleChange): Promise<void> {
  const { exam, made, runVariant, headCases } = await examined(of);
  expect(summary(exam)).toEqual(of.expected);
  const killed = new Set(exam.kills.flatMap(({ test, failure }) => (failure === 'assert' ? [test] : [])));
  const alive = headCases.cases.map(({ id }) => id).filter(id => !killed.has(id));
  const { withoutKill = [] } = of;
  expect(alive).toEqual(withoutKill.map(end => expect.stringMatching(new RegExp(`${end}$`))));
  expect(exam).toMatchObject({ complete: true, runs: made.runs });
  const control = await runVariant(placebo(await made.change()), signal);
  expect(control.machine).toBe('pass');
}
