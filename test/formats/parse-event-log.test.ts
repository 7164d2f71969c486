import { expect, test } from 'vitest';
import { chainWith } from '../../src/formats/events/event-log-lines.ts';
import { type RunEvent, runEvent } from '../../src/formats/events/events.ts';
import { parseLog } from '../../src/formats/events/parse-event-log.ts';
import { arbitraryOf } from '../helpers/arbitrary-of-shape.ts';
import fc from '../helpers/fast-check-seed.ts';
import { chainWithoutKey, logText, withoutKey } from '../helpers/log-text.ts';
import { startedEvent } from '../helpers/sample-values.ts';

const KEY = { id: 'c'.repeat(16), secret: 'b'.repeat(64) };
const AT = '2026-01-31T12:00:00.000Z';
const STARTED = startedEvent({ at: AT, key: KEY.id });

/** The key is the last field, as in every log. */
const anyEvent: fc.Arbitrary<RunEvent> = fc.oneof(
  ...runEvent.options.map(option =>
    arbitraryOf(option).map(one => {
      const parsed = runEvent.parse(one);
      if (parsed.type !== 'run.started') return parsed;
      const { key: _, ...rest } = parsed;
      return { ...rest, key: KEY.id };
    }),
  ),
);
const logs = fc.array(anyEvent, { maxLength: 5 }).map((more): RunEvent[] => [STARTED, ...more]);

const written = (events: readonly RunEvent[]): string => logText(events, chainWith(KEY));
const read = (log: string) => parseLog(log, [KEY]);

test('every event that is written is read back, whatever text it contains', () => {
  fc.assert(
    fc.property(logs, events => {
      const log = written(events);
      expect(log.split('\n')).toHaveLength(events.length + 1);
      const { events: found, broken, completeBytes: whole } = read(log);
      expect({ broken, found }).toEqual({ broken: null, found: events });
      expect(whole).toBe(Buffer.byteLength(log));
    }),
    { numRuns: 1500 },
  );
});

test('a log truncated at any byte still yields its complete lines and their total length in bytes', () => {
  fc.assert(
    fc.property(logs, fc.nat(), (events, place) => {
      const bytes = Buffer.from(written(events));
      const at = place % (bytes.length + 1);
      const torn = bytes.subarray(0, at);
      const lines = torn.toString('latin1').split('\n').length - 1;
      const { events: found, broken, completeBytes: whole } = read(torn.toString('utf8'));
      expect({ broken, found }).toEqual({ broken: null, found: events.slice(0, lines) });
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
        // A log that names an unknown key is not checked, and not continued either.
        const id = log.indexOf(KEY.id);
        fc.pre(log[at] !== char && (at < id || at >= id + KEY.id.length));
        const { events: found, broken } = read(log.slice(0, at) + char + log.slice(at + 1));
        const line = log.slice(0, at).split('\n').length;
        if (at === log.length - 1) expect(found).toEqual(events.slice(0, -1));
        else expect(broken).toMatchObject({ line });
        expect(found).toEqual(events.slice(0, line - 1));
      },
    ),
    { numRuns: 2000 },
  );
});

test('a removed, duplicated or moved line is detected', () => {
  fc.assert(
    fc.property(fc.array(anyEvent, { minLength: 2, maxLength: 5 }), fc.nat(), (more, place) => {
      const lines = written([STARTED, ...more])
        .split('\n')
        .slice(0, -1);
      const at = place % (lines.length - 1);
      const broken = (changed: string[]) => read(`${changed.join('\n')}\n`).broken;
      expect(broken(lines.toSpliced(at, 1))).not.toBeNull();
      expect(broken(lines.toSpliced(at, 0, lines[at]!))).not.toBeNull();
      expect(broken(lines.toSpliced(at, 2, lines[at + 1]!, lines[at]!))).not.toBeNull();
    }),
    { numRuns: 300 },
  );
});

test('a damaged line of any length is refused', () => {
  const text = ' a="b" c=d j"e"'.repeat(20_000);
  const log = written([STARTED, { at: AT, type: 'run.failed', reason: text }]);
  expect(read(log).broken).toBeNull();
  const [first, second] = log.split('\n');
  const damaged = `${first}\n${second!.replace(' chain=', ' chian=')}\n`;
  expect(read(damaged).broken).toMatchObject({ line: 2 });
});

test('the level of a line is the severity of its event', () => {
  const tree = { commit: 'a'.repeat(40), tree: 'b'.repeat(40), files: {}, pack: 'c'.repeat(40) };
  const log = written([STARTED, { at: AT, type: 'mrp.created', ...tree, cost_usd: null }]);
  expect(log).toContain(`${AT} [SUCCESS] mrp.created `);
  expect(read(log)).toMatchObject({ broken: null, events: [{}, { type: 'mrp.created' }] });
});

test('a line has the specified format, with a number and a chain value at the end', () => {
  const first: RunEvent = {
    at: AT,
    type: 'agent.failed',
    agent: 'builder',
    step: 'build',
    launch: 2,
    kind: 'crash',
    message: 'exit code 1',
  };
  const second: RunEvent = { at: AT, type: 'iteration.started', iteration: 2, reason: 'tests' };
  expect(written([first, second])).toMatchInlineSnapshot(`
    "2026-01-31T12:00:00.000Z [ERROR] agent.failed agent=builder step=build launch=2 kind=crash message="exit code 1" seq=1 chain=7fbdd5a6561ca561
    2026-01-31T12:00:00.000Z [INFO] iteration.started iteration=2 reason=tests seq=2 chain=d3bab42e94736d22
    "
  `);
});

test.each(['a'.repeat(16), '1234567890123456', '12345678e1234567'])(
  'a log that names the key %s cannot be written or changed without it, and is read unchecked if the key is missing',
  id => {
    const key = { id, secret: 'b'.repeat(64) };
    const started = { ...STARTED, key: id };
    const stopped: RunEvent = { at: AT, type: 'run.stopped', reason: 'enough' };
    const log = logText([started, stopped], chainWith(key));
    expect(parseLog(log, [key])).toMatchObject({ broken: null, events: [started, stopped] });
    expect(parseLog(log)).toMatchObject({ broken: null, events: [started, stopped] });
    expect(parseLog(log.replace('enough', 'forged'), [key]).broken).toMatchObject({ line: 2 });
    expect(parseLog(logText([started, stopped], chainWithoutKey), [key]).broken).toMatchObject({ line: 1 });
    const other = chainWith({ ...key, secret: 'd'.repeat(64) });
    expect(parseLog(logText([started], other), [key]).broken).not.toBeNull();
  },
);

test('a log that names no key is refused, whatever its chain values are', () => {
  for (const chained of [chainWithoutKey, chainWith(KEY)])
    expect(read(logText(withoutKey([STARTED]), chained)).broken).toEqual({
      line: 1,
      why: 'the log names no key',
    });
});
