import { describe, expect, it } from 'vitest';
import { type CleanCandidate, type CleanOptions, planClean } from '../../src/core/clean/plan.ts';
import { enCli } from '../../src/words/cli/en.ts';

const NOW = Date.UTC(2026, 5, 1);
const daysAgo = (days: number) => new Date(NOW - days * 86_400_000).toISOString();

const run = (more: Partial<CleanCandidate> = {}): CleanCandidate => ({
  run_id: 'run-20260101-000000',
  phase: 'completed',
  updated_at: daysAgo(40),
  isRun: true,
  unexpected: null,
  isActive: false,
  isUnmerged: false,
  isImported: false,
  ...more,
});
const request = (more: Partial<CleanOptions> = {}): CleanOptions => ({
  states: ['completed', 'failed', 'stopped'],
  olderThan: null,
  now: NOW,
  force: false,
  run: null,
  ...more,
});
const ALL = ['completed', 'failed', 'stopped', 'interrupted', 'waiting_human', 'ready_for_merge'];

/** Null if the run is removed, otherwise why it is kept. */
const verdict = (kept: CleanCandidate, wanted: CleanOptions) => {
  const why = planClean([kept], wanted).keep[0]?.why;
  return why ? enCli.clean.why(why) : null;
};

describe('a clean-up plan', () => {
  it('removes runs that are merged, failed or stopped', () => {
    for (const phase of ['completed', 'failed', 'stopped'])
      expect(verdict(run({ phase }), request())).toBeNull();
  });

  it.each([
    ['a run in progress', { isActive: true, phase: 'build' }],
    ['a run that is over but has running processes', { isActive: true }],
    ['the rest of a run that has running processes', { isRun: false, isActive: true }],
  ])('never removes %s, whatever the flags, even if it is named', (_, more) => {
    const forced = request({ force: true, states: [...ALL, 'build'], run: 'run-20260101-000000' });
    expect(verdict(run(more), forced)).not.toBeNull();
  });

  it.each([
    ['waits for a person', { phase: 'waiting_human' }],
    ['is ready for merge', { phase: 'ready_for_merge' }],
    ['is interrupted', { phase: 'interrupted' }],
    ['is completed and not merged', { isUnmerged: true }],
    ['cannot be read', { phase: null }],
  ])('needs --force to remove a run that %s', (_, more) => {
    expect(verdict(run(more), request({ states: ALL }))).toContain('--force');
    expect(verdict(run(more), request({ states: ALL, run: 'run-20260101-000000' }))).toContain('--force');
    expect(verdict(run(more), request({ states: ALL, force: true }))).toBeNull();
  });

  it('removes a folder without the mark of a run only with --force, and only if it is named', () => {
    const unmarked = run({ isRun: false, phase: null });
    const named = { run: 'run-20260101-000000' };
    expect(verdict(unmarked, request({ force: true, states: ALL }))).toContain('--force');
    expect(verdict(unmarked, request(named))).toContain('--force');
    expect(verdict(unmarked, request({ ...named, force: true }))).toBeNull();
    const mine = { ...unmarked, unexpected: 'precious' };
    expect(verdict(mine, request({ ...named, force: true }))).toContain('precious');
  });

  it('removes an imported run only if it is named', () => {
    expect(verdict(run({ isImported: true }), request({ force: true }))).toContain('pass its id');
    expect(verdict(run({ isImported: true }), request({ run: 'run-20260101-000000' }))).toBeNull();
  });

  it('removes only runs that are old enough, and none whose date is unknown', () => {
    const month = request({ olderThan: 30 * 86_400_000 });
    expect(verdict(run(), month)).toBeNull();
    expect(verdict(run({ updated_at: daysAgo(29) }), month)).toBe('it is too recent');
    expect(verdict(run({ updated_at: null }), month)).toBe('it is too recent');
  });

  it('lists every run as removed or kept, and gives the reason for each one kept', () => {
    const runs = [run(), run({ run_id: 'b', phase: 'failed' }), run({ run_id: 'c', phase: 'waiting_human' })];
    const { remove, keep } = planClean(runs, request({ states: ['failed'] }));
    expect(remove.map(one => one.run_id)).toEqual(['b']);
    expect(keep.map(({ why }) => why)).toEqual([
      { is: 'not-asked-for', phase: 'completed' },
      { is: 'not-asked-for', phase: 'waiting_human' },
    ]);
  });
});
