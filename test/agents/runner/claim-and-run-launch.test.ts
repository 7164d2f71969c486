import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { claimFile, delayFile, exitFile } from '../../../src/formats/launch.ts';
import { load } from '../../../src/formats/read-and-write-files.ts';
import { identityOf, isAlive } from '../../../src/process/identity.ts';
import { distFile } from '../../../src/process/package-paths-and-version.ts';
import { runnerFolder } from './runner-folder.ts';

const eventually = { timeout: 60_000, interval: 20 };

describe('a launch', () => {
  test('is shown, logged and recorded', async () => {
    const at = await runnerFolder();
    at.writeLaunch(`console.log('working'); console.error('a warning');`);
    const { code, screen, exit } = await at.run();
    expect(code).toBe(0);
    expect(exit).toMatchObject({ launch: 1, outcome: 'ok', kind: null, code: 0, signal: null, usage: null });
    expect(screen).toContain('working\n');
    expect(screen).toContain('a warning\n');
    expect(readFileSync(at.files.stream('builder', 1), 'utf8')).toBe('working\n');
  });

  test('has only the given environment variables plus its marks, DURE_RUN and DURE_LAUNCH', async () => {
    const at = await runnerFolder();
    const env = { ONLY: 'this', PATH: '/usr/bin:/bin' };
    at.writeLaunch(`console.log(JSON.stringify(process.env))`, {}, env);
    await at.run();
    const shown = JSON.parse(readFileSync(at.files.stream('builder', 1), 'utf8'));
    expect(shown).toMatchObject({ ONLY: 'this', DURE_RUN: at.runDir, DURE_LAUNCH: '1' });
    expect(shown).not.toHaveProperty('HOME');
  });

  test('deletes its environment file', async () => {
    const at = await runnerFolder();
    const { environment } = at.writeLaunch('');
    expect(existsSync(environment!)).toBe(true);
    await at.run();
    expect(existsSync(environment!)).toBe(false);
  });

  test('fails if its environment file is missing', async () => {
    const at = await runnerFolder();
    rmSync(at.writeLaunch('').environment!);
    expect((await at.run()).exit).toMatchObject({
      outcome: 'error',
      kind: 'crash',
      message: 'the environment of this launch was deleted',
    });
  });

  test('gets its prompt on standard input, or nothing when it resumes', async () => {
    for (const [resumes, heard] of [
      [false, 'Build it.'],
      [true, ''],
    ] as const) {
      const at = await runnerFolder();
      writeFileSync(at.files.prompt('builder'), 'Build it.');
      const source = `process.stdin.on('data', d => console.log(String(d))).on('end', () => console.log('end'))`;
      at.writeLaunch(source, { prompt: at.files.prompt('builder'), resumes });
      await at.run();
      expect(readFileSync(at.files.stream('builder', 1), 'utf8')).toBe(
        `${heard === '' ? '' : `${heard}\n`}end\n`,
      );
    }
  });

  test('reports when its API requests are delayed and when they succeed again', async () => {
    const at = await runnerFolder();
    const retry = (attempt: number) => ({
      type: 'system',
      subtype: 'api_retry',
      attempt,
      max_retries: 10,
      retry_delay_ms: 900,
      error_status: 529,
      error: 'overloaded',
    });
    at.writeLaunch(
      `const say = event => console.log(JSON.stringify(event));
       ${JSON.stringify([retry(1), retry(2)])}.forEach(say);
       process.stdin.on('data', () => {});
       const wait = setInterval(() => {
         if (!require('node:fs').existsSync(${JSON.stringify(join(at.dir, 'recovered'))})) return;
         clearInterval(wait);
         say({ type: 'stream_event', event: { type: 'message_start' } });
         say({ type: 'result', subtype: 'success', is_error: false, result: 'done', total_cost_usd: 0 });
         process.exit(0);
       }, 20);`,
      { stream: 'claude' },
    );
    const reason = async () => (await load(delayFile, at.files.delay(1)))?.reason;
    const ran = at.run();
    await expect.poll(reason, eventually).toMatch(/^the API returned 529 \(overloaded\)/);
    writeFileSync(join(at.dir, 'recovered'), '');
    expect((await ran).exit).toMatchObject({ outcome: 'ok' });
    expect(await reason()).toBeNull();
  });

  test.each([
    // The agent does not end by itself, however late the runner notices its cost.
    ['is stopped when its cost passes the budget', 0.1, 'budget', false],
    ['may use up the budget', 0.5, 'ok', true],
  ])('%s', async (_, budget_usd, outcome, ends) => {
    const at = await runnerFolder();
    at.writeLaunch(
      `const say = event => console.log(JSON.stringify(event));
       let cost = 0;
       require('node:readline').createInterface({ input: process.stdin }).on('line', line => {
         const { request_id, request } = JSON.parse(line);
         if (request.subtype === 'interrupt') process.exit(1);
         const response = { session: { total_cost_usd: cost, model_usage: {} } };
         say({ type: 'control_response', response: { subtype: 'success', request_id, response } });
         if (${ends} && cost > 0) setTimeout(() => {
           say({ type: 'result', subtype: 'success', is_error: false, result: 'done', total_cost_usd: cost });
           process.exit(0);
         }, 500);
         cost = 0.5;
       });`,
      { stream: 'claude', resumes: true, budget_usd },
    );
    expect((await at.run()).exit).toMatchObject({ outcome, usage: { cost_usd: 0.5 } });
  });

  test('costs nothing if it cannot be started', async () => {
    const at = await runnerFolder();
    at.writeLaunch('', { stream: 'claude', argv: ['dure-no-such-program'] });
    expect((await at.run()).exit).toMatchObject({ outcome: 'error', usage: { cost_usd: 0 } });
  });

  test('keeps the end of its standard error if it fails', async () => {
    const at = await runnerFolder();
    at.writeLaunch(
      `for (let i = 0; i < 9999; i++) console.error('noise ' + i); console.error('the reason'); process.exitCode = 3;`,
    );
    const { code, exit } = await at.run();
    expect(code).toBe(1);
    expect(exit).toMatchObject({ outcome: 'error', kind: 'crash', code: 3 });
    expect(exit!.message).toMatch(/^exit code 3: [\s\S]*the reason$/);
    expect(exit!.message.length).toBeLessThan(9000);
  });

  test('reports a program that is not installed', async () => {
    const at = await runnerFolder();
    at.writeLaunch('', { argv: ['no-such-agent', '-p'] });
    const { code, exit } = await at.run();
    expect(code).toBe(1);
    expect(exit).toMatchObject({ outcome: 'error', kind: 'permission', code: null });
    expect(exit!.message).toContain('no-such-agent was not found on PATH');
  });

  test('reports a missing folder as such, not as a missing program', async () => {
    const at = await runnerFolder();
    at.writeLaunch('', { cwd: join(at.dir, 'gone') });
    expect((await at.run()).exit).toMatchObject({
      outcome: 'error',
      kind: 'crash',
      message: expect.stringContaining('gone'),
    });
  });

  test('fails if its record is missing', async () => {
    const at = await runnerFolder();
    expect(await at.run()).toMatchObject({ code: 1, exit: null });
  });

  test('does not show terminal control sequences', async () => {
    const at = await runnerFolder();
    at.writeLaunch(`console.log('\\x1b]0;root\\x07\\x1b[2Jwords'); console.error('\\x1b[31mmore\\x1b[0m')`);
    const { screen } = await at.run();
    expect(screen).toContain('words\n');
    expect(screen).toContain('more\n');
    expect(screen).not.toMatch(/[\x1b\x07]/);
  });
});

test('two runners for one launch start only one agent', async () => {
  const at = await runnerFolder();
  at.writeLaunch(`require('node:fs').appendFileSync('starts', 'x'); console.log('once')`);
  const both = await Promise.all([at.run(), at.run(), at.run()]);
  expect(readFileSync(join(at.dir, 'starts'), 'utf8')).toBe('x');
  expect(both.filter(one => one.screen.includes('was already claimed'))).toHaveLength(2);
  expect(both.map(one => one.code)).toEqual([0, 0, 0]);
  const claim = await load(claimFile, at.files.claim(1));
  expect(isAlive(claim!.runner)).toBe(true);
});

describe('an agent that is told to stop', () => {
  const until = (file: string) => vi.waitFor(() => expect(existsSync(file)).toBe(true), eventually);

  test('is stopped even if it ignores the request', async () => {
    const at = await runnerFolder();
    at.writeLaunch(
      `process.on('SIGINT', () => {}); require('node:fs').writeFileSync('here', ''); setInterval(() => {}, 1000)`,
    );
    const stop = new AbortController();
    const running = at.run(stop.signal);
    await until(join(at.dir, 'here'));
    stop.abort();
    // If it cannot run for seconds after SIGTERM, it is killed.
    const signal = expect.stringMatching(/^SIG(TERM|KILL)$/);
    expect((await running).exit).toMatchObject({ outcome: 'stopped', kind: null, signal });
  });

  test('never starts if the request comes before its start', async () => {
    const at = await runnerFolder();
    at.writeLaunch(`setInterval(() => {}, 1000)`);
    expect((await at.run(AbortSignal.abort())).exit).toMatchObject({ outcome: 'stopped' });
  });

  test('is killed together with its children in other sessions', async () => {
    const at = await runnerFolder();
    at.writeLaunch(`
      const child = require('node:child_process').spawn(process.execPath, ['-e', 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000)'], { detached: true, stdio: 'inherit' });
      require('node:fs').writeFileSync('pid.tmp', String(child.pid)); require('node:fs').renameSync('pid.tmp', 'pid');
      setInterval(() => {}, 1000)`);
    const stop = new AbortController();
    const running = at.run(stop.signal);
    await until(join(at.dir, 'pid'));
    const child = identityOf(Number(readFileSync(join(at.dir, 'pid'), 'utf8')))!;
    expect(isAlive(child)).toBe(true);
    stop.abort();
    expect((await running).exit).toMatchObject({ outcome: 'stopped' });
    await vi.waitFor(() => expect(isAlive(child)).toBe(false), eventually);
  });
});

test('when an agent succeeds, its background processes are killed', async () => {
  const at = await runnerFolder();
  at.writeLaunch(`
    const child = require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { detached: true, stdio: 'inherit' });
    child.unref(); require('node:fs').writeFileSync('pid', String(child.pid)); console.log('done')`);
  expect((await at.run()).exit).toMatchObject({ outcome: 'ok' });
  const pid = Number(readFileSync(join(at.dir, 'pid'), 'utf8'));
  await vi.waitFor(() => expect(identityOf(pid)).toBeNull(), eventually);
});

describe('the runner program', () => {
  const start = (runDir: string) =>
    spawn(process.execPath, [distFile('runner.cjs'), runDir, '1'], { stdio: ['ignore', 'pipe', 'inherit'] });

  test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('records the exit when it gets %s', async signal => {
    const at = await runnerFolder();
    at.writeLaunch(`require('node:fs').writeFileSync('here', ''); setInterval(() => {}, 1000)`);
    const runner = start(at.runDir);
    runner.stdout.resume();
    const closed = once(runner, 'close');
    await vi.waitFor(() => expect(existsSync(join(at.dir, 'here'))).toBe(true), eventually);
    runner.kill(signal);
    await closed;
    expect(await load(exitFile, at.files.exit(1))).toMatchObject({ outcome: 'stopped' });
  });

  test('continues when its output is closed', async () => {
    const at = await runnerFolder();
    at.writeLaunch(
      `const fs = require('node:fs'); console.log('one'); const wait = setInterval(() => { if (fs.existsSync('go')) { clearInterval(wait); console.log('two'); } }, 20)`,
    );
    const runner = start(at.runDir);
    const closed = once(runner, 'exit');
    await once(runner.stdout, 'data');
    runner.stdout.destroy();
    writeFileSync(join(at.dir, 'go'), '');
    await closed;
    expect(await load(exitFile, at.files.exit(1))).toMatchObject({ outcome: 'ok' });
    expect(readFileSync(at.files.stream('builder', 1), 'utf8')).toBe('one\ntwo\n');
  });

  test('uses little memory and caps its log if an agent prints endlessly', async () => {
    const at = await runnerFolder();
    at.writeLaunch(`
      const line = 'x'.repeat(9999) + '\\n'; let left = 26_000;
      const more = () => { while (left > 0) { left -= 1; if (!process.stdout.write(line)) return process.stdout.once('drain', more); } };
      more();`);
    const runner = start(at.runDir);
    runner.stdout.resume();
    const exited = once(runner, 'exit');
    let peak = 0;
    const look = setInterval(() => {
      try {
        const status = readFileSync(`/proc/${runner.pid}/status`, 'utf8');
        peak = Math.max(peak, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
      } catch {
        // Not on this system, or already exited.
      }
    }, 50);
    await exited;
    clearInterval(look);
    expect(await load(exitFile, at.files.exit(1))).toMatchObject({ outcome: 'ok' });
    expect(peak).toBeLessThan(400);
    const log = at.files.stream('builder', 1);
    expect(statSync(log).size).toBeLessThan(201_000_000);
    expect(readFileSync(log).subarray(-200).toString()).toContain('log_capped');
    rmSync(log);
  });
});
