import { expect, test } from 'vitest';
import { evidenceOf, summaryOf } from '../../src/core/merge-pack.ts';
import type { EventOf, RunEvent } from '../../src/formats/events.ts';
import { BASE, sampleState } from '../plugins/samples.ts';

const at = (second: number) => new Date(Date.UTC(2026, 0, 31, 14, 0, second)).toISOString();
const gate = { agent: 'gatekeeper', step: 'gate' } as const;
const refine = { agent: 'refiner', step: 'refine' } as const;
const exit = { kind: null, message: '', retry_at: null, session: null, asks: false, usage: null } as const;

const verdict = (second: number, launch: number): EventOf<'verdict.given'> => ({
  ...{ at: at(second), type: 'verdict.given', ...gate, launch, verdict: 'PASS', claimed: 'PASS' },
  ...{ lowered: null, reason: 'good', issues: [], next: 'ready' },
});

function times(events: RunEvent[]): string[] {
  const state = sampleState();
  const evidence = evidenceOf({
    ...{
      state,
      changed: [],
      proven: null,
      testCommand: '',
      testsTree: null,
      commandInputs: [],
      laidIn: [],
      backend: 'claude',
    },
    ...{ commit: BASE, tree: BASE },
  });
  const told = summaryOf({
    ...{ state, evidence, stat: [], failures: [], answers: [], review: null, plugins: [], disturbed: [] },
    ...{ events, at: at(59) },
  });
  const rows = told.slice(told.indexOf('## Times')).split('\n');
  return rows.filter(row => /^\| \w+ \| \d/.test(row));
}

test('the summary has the time of every launch: of one that asked, of one that failed, and of each Gatekeeper', () => {
  expect(
    times([
      { at: at(0), type: 'agent.started', ...refine, launch: 1, iteration: 1 },
      { at: at(2), type: 'agent.exited', ...refine, launch: 1, outcome: 'deferred', ...exit },
      { at: at(3), type: 'agent.started', ...refine, launch: 2, iteration: 1 },
      { at: at(4), type: 'agent.failed', ...refine, launch: 2, kind: 'crash', message: 'gone' },
      { at: at(7), type: 'agent.exited', ...refine, launch: 2, outcome: 'error', ...exit },
      { at: at(8), type: 'agent.started', ...gate, launch: 3, iteration: 1 },
      { at: at(9), type: 'agent.exited', ...gate, launch: 3, outcome: 'ok', ...exit },
      verdict(10, 3),
      { at: at(11), type: 'agent.started', ...gate, launch: 4, iteration: 2 },
      verdict(16, 4),
    ]),
  ).toEqual([
    '| refine | 1 | 2.0 s |',
    '| refine | 2 | 4.0 s |',
    '| gate | 3 | 1.0 s |',
    '| gate | 4 | 5.0 s |',
  ]);
});
