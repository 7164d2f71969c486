import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cappedLog } from '../../src/proof/capped-log.ts';
import fc from '../helpers/fast-check-seed.ts';

let dir: string;
const fresh = () => join(dir, randomUUID());
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'dure-capped-'));
});
afterAll(() => rm(dir, { recursive: true, force: true, maxRetries: 20 }));

describe('a capped log', () => {
  it('keeps all output up to its limit, otherwise head and tail, for any chunk sizes', () => {
    fc.assert(
      fc.property(
        fc.array(fc.stringMatching(/^[a-z]{0,30}$/)),
        fc.integer({ min: 1, max: 20 }),
        (chunks, half) => {
          const log = cappedLog(fresh(), 2 * half);
          for (const chunk of chunks) log.write(Buffer.from(chunk));
          const all = chunks.join('');
          const dropped = Math.max(0, all.length - 2 * half);
          const cut = `${all.slice(0, half)}\n[… ${dropped} bytes were left out here …]\n${all.slice(-half)}`;
          expect(log.text()).toBe(dropped > 0 ? cut : all);
          expect(log.dropped()).toBe(dropped);
          expect(log.tail(half)).toBe(all.slice(-half));
          expect(log.tail(3)).toBe(all.slice(-Math.min(3, half)));
          log.close();
        },
      ),
    );
  });

  it('never uses more disk space than its limit', async () => {
    const file = fresh();
    const log = cappedLog(file, 1000);
    for (let n = 0; n < 100; n += 1) log.write(Buffer.alloc(777, n));
    expect((await stat(file)).size).toBeLessThanOrEqual(1000);
    log.close();
  });

  it('cuts between characters', () => {
    const log = cappedLog(fresh(), 20);
    log.write(Buffer.from('€'.repeat(100)));
    expect(log.text()).toBe('€€€\n[… 280 bytes were left out here …]\n€€€');
    expect(log.tail(5)).toBe('€');
    log.close();
  });
});
