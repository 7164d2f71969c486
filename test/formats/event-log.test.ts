import { expect, test } from 'vitest';
import { parseLog } from '../../src/formats/event-log.ts';
import { chainWith, FIRST_CHAIN, formatEvent } from '../../src/formats/event-log-lines.ts';
import { type RunEvent, runEvent } from '../../src/formats/events.ts';
import { arbitraryOf } from '../helpers/arbitrary-of-shape.ts';
import fc from '../helpers/fast-check-seed.ts';
import { setupWith } from '../helpers/sample-setup.ts';

/** Without a key: a log whose key is changed to an unknown one is not checked, and not continued either. */
const event: fc.Arbitrary<RunEvent> = fc.oneof(
  ...runEvent.options.map(option =>
    arbitraryOf(option).map(one => {
      const { key: _, ...parsed } = { key: null, ...runEvent.parse(one) };
      return parsed as RunEvent;
    }),
  ),
);
const logs = fc.array(event, { minLength: 1, maxLength: 6 });

function written(events: readonly RunEvent[], chained = chainWith(null)): string {
  let chain = FIRST_CHAIN;
  return events
    .map((one, n) => {
      const next = formatEvent(one, n + 1, chain, chained);
      chain = next.chain;
      return `${next.line}\n`;
    })
    .join('');
}

test('every event that is written is read back, whatever text it contains', () => {
  fc.assert(
    fc.property(logs, events => {
      const log = written(events);
      expect(log.split('\n')).toHaveLength(events.length + 1);
      const { events: read, broken, completeBytes: whole } = parseLog(log);
      expect({ broken, read }).toEqual({ broken: null, read: events });
      expect(whole).toBe(Buffer.byteLength(log));
    }),
    { numRuns: 1500 },
  );
});

test('a log truncated at any byte still yields its complete lines and their length, where it can be cut off', () => {
  fc.assert(
    fc.property(logs, fc.nat(), (events, place) => {
      const bytes = Buffer.from(written(events));
      const at = place % (bytes.length + 1);
      const torn = bytes.subarray(0, at);
      const lines = torn.toString('latin1').split('\n').length - 1;
      const { events: read, broken, completeBytes: whole } = parseLog(torn.toString('utf8'));
      expect({ broken, read }).toEqual({ broken: null, read: events.slice(0, lines) });
      expect(whole).toBe(lines === 0 ? 0 : torn.lastIndexOf('\n') + 1);
    }),
    { numRuns: 1500 },
  );
});

test('any single changed character is detected, or makes the last line incomplete', () => {
  fc.assert(
    fc.property(
      logs,
      fc.nat(),
      fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 1 }),
      (events, place, char) => {
        const log = written(events);
        const at = place % log.length;
        fc.pre(log[at] !== char);
        const { events: read, broken } = parseLog(log.slice(0, at) + char + log.slice(at + 1));
        const line = log.slice(0, at).split('\n').length;
        if (at === log.length - 1) expect(read).toEqual(events.slice(0, -1));
        else expect(broken).toMatchObject({ line });
        expect(read).toEqual(events.slice(0, line - 1));
      },
    ),
    { numRuns: 2000 },
  );
});

test('a removed, duplicated or moved line is detected', () => {
  fc.assert(
    fc.property(fc.array(event, { minLength: 3, maxLength: 6 }), fc.nat(), (events, place) => {
      const lines = written(events).split('\n').slice(0, -1);
      const at = place % (lines.length - 1);
      const read = (changed: string[]) => parseLog(`${changed.join('\n')}\n`).broken;
      expect(read(lines.toSpliced(at, 1))).not.toBeNull();
      expect(read(lines.toSpliced(at, 0, lines[at]!))).not.toBeNull();
      expect(read(lines.toSpliced(at, 2, lines[at + 1]!, lines[at]!))).not.toBeNull();
    }),
    { numRuns: 300 },
  );
});

test('a damaged line is refused, however long', () => {
  const text = ' a="b" c=d j"e"'.repeat(20_000);
  const log = written([{ at: '2026-01-31T12:00:00.000Z', type: 'run.failed', reason: text }]);
  expect(parseLog(log).broken).toBeNull();
  expect(parseLog(log.replace(' chain=', ' chian=')).broken).toMatchObject({ line: 1 });
});

test('the level of a line is the severity of its event', () => {
  const at = '2026-01-31T12:00:00.000Z';
  const tree = { commit: 'a'.repeat(40), tree: 'b'.repeat(40) };
  const log = written([{ at, type: 'mrp.created', ...tree, cost_usd: null }]);
  expect(log).toContain(`${at} [SUCCESS] mrp.created `);
  expect(parseLog(log)).toMatchObject({ broken: null, events: [{ type: 'mrp.created' }] });
});

test('a line has the specified format, with a number and a hash chain at the end', () => {
  const at = '2026-01-31T12:00:00.000Z';
  const first: RunEvent = {
    at,
    type: 'agent.failed',
    agent: 'builder',
    step: 'build',
    launch: 2,
    kind: 'crash',
    message: 'exit code 1',
  };
  const second: RunEvent = { at, type: 'iteration.started', iteration: 2, reason: 'tests' };
  expect(written([first, second])).toMatchInlineSnapshot(`
    "2026-01-31T12:00:00.000Z [ERROR] agent.failed agent=builder step=build launch=2 kind=crash message="exit code 1" seq=1 chain=390ec73abd78bc03
    2026-01-31T12:00:00.000Z [INFO] iteration.started iteration=2 reason=tests seq=2 chain=bb0071d63766f88d
    "
  `);
});

test.each(['a'.repeat(16), '1234567890123456', '12345678e1234567'])(
  'a log that names the key %s cannot be written or changed without the key, and is read unchecked if it is missing',
  id => {
    const key = { id, secret: 'b'.repeat(64) };
    const at = '2026-01-31T12:00:00.000Z';
    const started: RunEvent = {
      at,
      type: 'run.started',
      run_id: 'run-20260131-120000',
      base: 'c'.repeat(40),
      setup: setupWith(),
      key: key.id,
    };
    const stopped: RunEvent = { at, type: 'run.stopped', reason: 'enough' };
    const log = written([started, stopped], chainWith(key));
    expect(parseLog(log, [key])).toMatchObject({ broken: null, events: [started, stopped] });
    expect(parseLog(log)).toMatchObject({ broken: null, events: [started, stopped] });
    expect(parseLog(log.replace('enough', 'forged'), [key]).broken).toMatchObject({ line: 2 });
    expect(parseLog(written([started, stopped]), [key]).broken).toMatchObject({ line: 1 });
    expect(
      parseLog(written([started], chainWith({ ...key, secret: 'd'.repeat(64) })), [key]).broken,
    ).not.toBeNull();
  },
);
