import { mkdtemp, open, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { rawLog } from '../../../src/agents/streams/raw-log-writer.ts';
import { summaryFromLog } from '../../../src/agents/streams/summary-from-raw-log.ts';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'dure-log-'));
});
afterEach(() => rm(dir, { recursive: true, force: true, maxRetries: 20 }));

const result = JSON.stringify({
  duration_ms: 1,
  type: 'result',
  is_error: false,
  result: 'done',
  total_cost_usd: 0.5,
  modelUsage: {},
});
const before = JSON.stringify({
  type: 'control_response',
  response: {
    subtype: 'success',
    request_id: 'usage-before',
    response: { session: { total_cost_usd: 0.1, model_usage: {} } },
  },
});

test('a log at its size limit stops growing, says so once, and still yields the cost and the result of the launch', async () => {
  const file = join(dir, 'logs', 'builder.1.jsonl');
  const log = await rawLog(file, 100_000);
  const flood = Array.from({ length: 100 }, () =>
    JSON.stringify({ type: 'stream_event', text: 'x'.repeat(900) }),
  );
  for (let i = 0; i < 50; i += 1) await log.append(flood);
  await log.append([before, result]);
  await log.close();
  expect((await stat(file)).size).toBeLessThan(110_000);
  expect((await readFile(file, 'utf8')).match(/log_capped/g)).toHaveLength(1);
  expect(await summaryFromLog(file)).toMatchObject({ usage: { cost_usd: 0.4 }, result: { text: 'done' } });
});

test('lines that could not be written, for example because the disk was full, are complete when they are appended again', async () => {
  const file = join(dir, 'builder.1.jsonl');
  const log = await rawLog(file, 1000);
  const probe = await open(file);
  const full = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
  vi.spyOn(Object.getPrototypeOf(probe), 'appendFile').mockRejectedValueOnce(full);
  await probe.close();
  const lines = ['x'.repeat(2000)];
  await expect(log.append(lines)).rejects.toThrow(full);
  await log.append(lines);
  await log.append(['more']);
  await log.close();
  expect(await readFile(file, 'utf8')).toBe(
    `${lines[0]}\n{"type":"dure","subtype":"log_capped","bytes":1000}\n`,
  );
});

test('reopening a log appends to it', async () => {
  const file = join(dir, 'builder.1.jsonl');
  for (const line of ['one', 'two']) {
    const log = await rawLog(file, 1000);
    await log.append([line]);
    await log.close();
  }
  expect(await readFile(file, 'utf8')).toBe('one\ntwo\n');
});

test('an incomplete last line is ignored when the usage of a launch is computed', async () => {
  const file = join(dir, 'builder.1.jsonl');
  const log = await rawLog(file, 100_000);
  await log.append([before, result, result.slice(0, 40)]);
  await log.close();
  expect((await summaryFromLog(file)).usage).toMatchObject({ cost_usd: 0.4 });
});

test('a launch without a log has no known cost', async () => {
  expect((await summaryFromLog(join(dir, 'none.jsonl'))).usage).toBeNull();
});
