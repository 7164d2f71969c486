import { describe, expect, it } from 'vitest';
import { cappedLog } from '../../src/proof/capped-output-buffer.ts';
import fc from '../helpers/fast-check-seed.ts';

describe('a capped log', () => {
  it('keeps all output up to its limit, and only the head and tail of longer output, for any chunk sizes', () => {
    fc.assert(
      fc.property(
        fc.array(fc.stringMatching(/^[a-z]{0,30}$/)),
        fc.integer({ min: 1, max: 20 }),
        (chunks, half) => {
          const log = cappedLog(2 * half);
          for (const chunk of chunks) log.write(Buffer.from(chunk));
          const all = chunks.join('');
          const dropped = Math.max(0, all.length - 2 * half);
          const cut = `${all.slice(0, half)}\n[… ${dropped} bytes omitted …]\n${all.slice(-half)}`;
          expect(log.text()).toBe(dropped > 0 ? cut : all);
          expect(log.dropped()).toBe(dropped);
          expect(log.tail(half)).toBe(all.slice(-half));
          expect(log.tail(3)).toBe(all.slice(-Math.min(3, half)));
        },
      ),
    );
  });

  it('never grows beyond its limit', () => {
    const log = cappedLog(1000);
    for (let n = 0; n < 100; n += 1) log.write(Buffer.alloc(777, 'x'));
    expect(log.text().replace(/\n\[.*\]\n/, '')).toBe('x'.repeat(1000));
  });

  it('never splits a character', () => {
    const log = cappedLog(20);
    log.write(Buffer.from('€'.repeat(100)));
    expect(log.text()).toBe('€€€\n[… 280 bytes omitted …]\n€€€');
    expect(log.tail(5)).toBe('€');
  });
});
