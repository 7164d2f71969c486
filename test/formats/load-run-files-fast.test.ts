/**
 * The fast reader and the full one agree: the fast one accepts nothing that the full one refuses or reads
 * differently.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { driverFile } from '../../src/formats/driver.ts';
import { runEvent } from '../../src/formats/events/events.ts';
import { parseLog } from '../../src/formats/events/parse-event-log.ts';
import { EVENT_SCHEMAS } from '../../src/formats/events/precompiled-event-schemas.ts';
import { originFile } from '../../src/formats/imported-run-origin.ts';
import { loadState, parseLogFast } from '../../src/formats/load-run-files-fast.ts';
import { load } from '../../src/formats/read-and-write-files.ts';
import { matchesSchema } from '../../src/formats/schema/matches-schema.ts';
import { DRIVER, ORIGIN, STATE } from '../../src/formats/schema/precompiled-file-schemas.ts';
import { minimalJsonSchema } from '../../src/formats/schema/shape-to-json-schema.ts';
import type { Json } from '../../src/formats/schema/strict-json.ts';
import { type RunState, stateFile } from '../../src/formats/state.ts';
import { arbitraryOf } from '../helpers/arbitrary-of-shape.ts';
import fc from '../helpers/fast-check-seed.ts';

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'dure-light-'));
});
afterAll(() => rm(dir, { recursive: true, force: true, maxRetries: 20 }));

const jsonOf = (value: unknown): Json => JSON.parse(JSON.stringify(value)) as Json;

/** Replaces a random value or key. */
function changed(value: Json, at: number, into: Json): Json {
  let left = at;
  const go = (one: Json): Json => {
    if (left-- === 0) return into;
    if (Array.isArray(one)) return one.map(go);
    if (one === null || typeof one !== 'object') return one;
    const entries = Object.entries(one).flatMap(([key, inner]): [string, Json][] => {
      if (left-- === 0) return into === null ? [] : [[`${key}x`, inner]];
      return [[key, go(inner)]];
    });
    return Object.fromEntries(entries);
  };
  return go(value);
}

const others = fc.oneof(
  fc.constantFrom<Json>(null, true, 0, -1, 1.5, 1e300, '', 'x', [], {}, [1], { a: 1 }, 'crp-1', 'builder'),
  fc.constantFrom<Json>('2026-01-31T14:22:01.000Z', '2026-02-30T14:22:01.000Z', '+10000-01-31T14:22:01Z'),
);

const shapes = [
  ['state.json', stateFile.shape, STATE],
  ['driver.json', driverFile.shape, DRIVER],
  ['origin.json', originFile.shape, ORIGIN],
  ...runEvent.options.map(
    option => [option.shape.type.value, option, EVENT_SCHEMAS[option.shape.type.value]!] as const,
  ),
] as const;

describe.each(shapes)('%s', (_, full, light) => {
  it('is accepted by the fast reader only if the full one accepts it unchanged', () => {
    fc.assert(
      fc.property(arbitraryOf(full), fc.nat(300), others, (sample, at, into) => {
        for (const value of [jsonOf(sample), changed(jsonOf(sample), at, into)]) {
          if (!matchesSchema(light, value)) continue;
          expect(full.safeParse(value)).toEqual({ success: true, data: value });
        }
      }),
      { numRuns: 300 },
    );
  });
});

const state = (): RunState =>
  stateFile.shape.parse(fc.sample(arbitraryOf(stateFile.shape), { numRuns: 1, seed: 7 })[0]);

it('the fast reader accepts what Dure writes', () => {
  const written = {
    ...state(),
    started_at: '2026-01-31T14:22:01.000Z',
    updated_at: '2026-01-31T14:22:01.000Z',
  };
  const plain = {
    ...written,
    agents: {},
    history: [],
    ended: null,
    not_before: null,
    since: null,
    requests_done: {},
  };
  expect(matchesSchema(STATE, jsonOf(plain))).toBe(true);
  expect(matchesSchema(STATE, jsonOf({ ...plain, seq: 1.5 }))).toBe(false);
});

it('no value matches a shape with a rule that JSON Schema cannot express', () => {
  const shape = z.strictObject({ low: z.number(), high: z.number() }).refine(({ low, high }) => low <= high);
  expect(matchesSchema(minimalJsonSchema(shape), { low: 1, high: 2 })).toBe(false);
});

it('no value matches a schema with an unknown keyword', () => {
  expect(matchesSchema({ type: 'string' }, 'x')).toBe(true);
  expect(matchesSchema({ type: 'string', contentEncoding: 'base64' }, 'x')).toBe(false);
});

it.each([
  ['a missing file', null],
  ['an empty file', ''],
  ['half a file', '{"run_id": "run'],
  ['a value of another type', '[]\n'],
  ['a duplicate key', '{\n  "run_id": "a",\n  "run_id": "b"\n}\n'],
])('%s is reported just as the full reader reports it', async (_, text) => {
  const file = join(dir, 'state.json');
  await rm(file, { force: true });
  if (text !== null) await writeFile(file, text);
  const told = (reading: Promise<unknown>) => reading.catch(error => [error.code, error.message]);
  expect(await told(loadState(file))).toEqual(await told(load(stateFile, file)));
});

it('a damaged log is reported just as the full reader reports it', async () => {
  for (const text of [
    'nonsense\n',
    '2026-01-31T14:22:01.000Z [INFO] run.forgotten seq=1 chain=0000000000000000\n',
  ])
    expect(await parseLogFast(text)).toEqual(parseLog(text));
});
