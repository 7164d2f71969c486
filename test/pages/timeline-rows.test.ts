import { expect, it } from 'vitest';
import { launchRowsOf, timelineGroups, workedMs } from '../../src/server/ui/timeline-rows.ts';
import { story } from './sample-run.ts';

const seen = (events: ReturnType<typeof story>) =>
  events.map((event, index) => ({ seq: index + 1, severity: 'info' as const, event }));

it('each launch has one row in the timeline, with its outcome, duration and cost', () => {
  const events = story('run-20261118-091502', Date.UTC(2026, 10, 18));
  const [group] = timelineGroups(seen(events));
  const launches = group!.rows.flatMap(row => ('launch' in row ? [row.launch] : []));
  expect(launches).toHaveLength(12);
  expect(launches[2]).toMatchObject({ role: 'builder', status: 'completed', took: 213_000, cost: 0.412 });
  const judged = launchRowsOf([group!], 'gatekeeper', []);
  expect(judged.length).toBeGreaterThan(1);
  expect(workedMs(judged, 0)).toBe(judged.reduce((sum, { took }) => sum + took!, 0));
  expect(launchRowsOf([group!], 'verifier', ['execute']).map(({ step }) => step)).not.toContain('execute');
  const others = group!.rows.flatMap(row => ('event' in row ? [row.event.event.type] : []));
  expect(others).toEqual(
    events.map(({ type }) => type).filter(type => !/^agent\.(started|completed|exited)$/.test(type)),
  );
});

it('a launch that has not ended is shown as running, and each iteration has its own group', () => {
  const at = '2026-11-18T00:00:00.000Z';
  const events = story('run-20261118-091502', Date.parse(at)).slice(0, 2);
  const groups = timelineGroups(
    seen([
      ...events,
      { at, type: 'iteration.started', iteration: 2, reason: 'changes were requested' },
      {
        at,
        type: 'agent.failed',
        agent: 'refiner',
        step: 'refine',
        launch: 1,
        kind: 'crash',
        message: 'x',
      } as never,
    ]),
  );
  expect(groups.map(({ iteration }) => iteration)).toEqual([1, 2]);
  expect(groups[0]!.rows.at(-1)).toMatchObject({ launch: { status: 'failed' } });
  expect(timelineGroups(seen(events))[0]!.rows.at(-1)).toMatchObject({
    launch: { status: 'running', took: null },
  });
  const over = [...events, { at, type: 'run.stopped', reason: 'no longer needed' } as const];
  expect(timelineGroups(seen(over))[0]!.rows).toContainEqual({
    launch: expect.objectContaining({ status: 'stopped', took: null }),
  });
});
