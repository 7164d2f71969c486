import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runCommand } from '../../src/process/run-shell-command.ts';
import { findSandbox, type Sandbox } from '../../src/process/sandbox/find-sandbox.ts';
import type { Command } from '../../src/process/shell-command-types.ts';
import { programOf } from '../helpers/bundle-program.ts';

const found = await findSandbox(process.env);
const NONE: Sandbox = { kind: 'none', why: 'a test' };
const hasSetsid = spawnSync('setsid', ['--version']).error === undefined;
const [PATH, HOME] = [process.env['PATH']!, process.env['HOME']!];

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'dure-run-command-'));
});
afterEach(() => rm(dir, { recursive: true, force: true, maxRetries: 20 }));

async function run(sandbox: Sandbox, command: string, changes: Partial<Command> = {}) {
  const printed = { stdout: '', stderr: '' };
  const end = await runCommand({
    command,
    cwd: dir,
    env: { PATH, HOME },
    timeout_ms: 60_000,
    grace_ms: 2000,
    signal: new AbortController().signal,
    sandbox,
    confinement: { writable: [dir], readable: [], network: false },
    onOutput(from, chunk) {
      printed[from] += chunk.toString('utf8');
    },
    ...changes,
  });
  return { ...end, ...printed };
}

/** Processes of this machine, in any namespace, whose command line contains a word. */
async function processesWith(word: string): Promise<number> {
  const ps = spawn('ps', ['-eo', 'stat=,args='], { stdio: ['ignore', 'pipe', 'ignore'] });
  let text = '';
  ps.stdout.on('data', chunk => {
    text += chunk;
  });
  await once(ps, 'close');
  return text.split('\n').filter(line => line.includes(word) && !line.startsWith('Z')).length;
}

/** Long enough for a command to begin on a machine that stalls for seconds. */
const LIMIT_MS = 6000;

/** A sleep that is identified by its duration. */
let nap = 100_000 + Math.floor(Math.random() * 800_000);
const sleepOf = () => `sleep ${++nap}`;

const KINDS: [string, Sandbox][] = [
  ['without a sandbox', NONE],
  ['in a sandbox', found],
];

describe.each(KINDS)('a command %s', (kind, sandbox) => {
  const here = it.skipIf(kind === 'in a sandbox' && sandbox.kind === 'none');

  here.each([0, 1, 3, 139, 255])('exits with its code %i', async code => {
    expect(await run(sandbox, `exit ${code}`)).toMatchObject({
      exit_code: code,
      signal: null,
      timedOut: false,
      spawnError: null,
    });
  });

  here('returns standard output and error without losing a byte', async () => {
    const { stdout, stderr } = await run(
      sandbox,
      'echo out; echo err >&2; head -c 3000000 /dev/zero | tr "\\0" x',
    );
    expect(stdout.slice(0, 5)).toBe('out\nx');
    expect(stdout).toHaveLength(3_000_004);
    expect(stderr).toBe('err\n');
  });

  here('can open its standard output and error by name', async () => {
    const { exit_code, stdout, stderr } = await run(
      sandbox,
      'echo one > /dev/stdout && echo two > /dev/stderr && echo three > /proc/self/fd/1',
    );
    expect({ exit_code, stdout, stderr }).toEqual({ exit_code: 0, stdout: 'one\nthree\n', stderr: 'two\n' });
  });

  here('has an empty standard input', async () => {
    expect((await run(sandbox, 'wc -c')).stdout.trim()).toBe('0');
  });

  here('has an empty home and an empty temporary folder, which are removed afterwards', async () => {
    const { stdout } = await run(
      sandbox,
      'ls -A "$HOME" "$TMPDIR"; echo a > "$HOME/a" && echo a > "$TMPDIR/a" && mkdir -m 500 "$HOME/b" && echo "$HOME $TMPDIR"',
    );
    const [home, tmp] = stdout.trim().split('\n').at(-1)!.split(' ');
    expect(existsSync(join(home!, 'a'))).toBe(false);
    expect(existsSync(join(tmp!, 'a'))).toBe(false);
    if (sandbox.kind === 'none') expect(existsSync(home!)).toBe(false);
  });

  here('reports that its folder is missing', async () => {
    const { spawnError, exit_code } = await run(sandbox, 'true', { cwd: join(dir, 'missing') });
    expect(spawnError).toBeTruthy();
    expect(exit_code).toBeNull();
  });

  here('is killed after its time limit, together with processes that ignore SIGTERM', async () => {
    const nap = sleepOf();
    const end = await run(sandbox, `trap "" TERM; ${nap} & ${nap} & echo up; while :; do wait; done`, {
      timeout_ms: LIMIT_MS,
      grace_ms: 200,
    });
    expect(end).toMatchObject({ exit_code: null, timedOut: true, stdout: 'up\n' });
    expect(await processesWith(nap)).toBe(0);
  });

  here('gets SIGTERM and time to exit by itself', async () => {
    const end = await run(
      sandbox,
      'trap "sleep 0.3; echo cleaned; exit 0" TERM; echo up; while :; do sleep 0.1; done',
      { timeout_ms: LIMIT_MS, grace_ms: 60_000 },
    );
    expect(end).toMatchObject({ timedOut: true, stdout: 'up\ncleaned\n' });
  });

  here('is killed when it is aborted', async () => {
    const off = new AbortController();
    const nap = sleepOf();
    await run(sandbox, `echo up; ${nap}`, { signal: off.signal, onOutput: () => off.abort() });
    expect(await processesWith(nap)).toBe(0);
  });

  here('is killed if its output cannot be stored, and the error is rethrown', async () => {
    const nap = sleepOf();
    const full = new Error('the disk is full');
    const onOutput = () => {
      throw full;
    };
    await expect(run(sandbox, `echo a; echo b >&2; ${nap}`, { onOutput })).rejects.toBe(full);
    expect(await processesWith(nap)).toBe(0);
  });

  here('leaves no process behind if it is aborted before it starts', async () => {
    const nap = sleepOf();
    // Each of these commands is aborted at a different point while its sandbox starts.
    await Promise.all(Array.from({ length: 8 }, () => run(sandbox, nap, { signal: AbortSignal.abort() })));
    expect(await processesWith(nap)).toBe(0);
  });

  const leavesNone = 'leaves no process behind, neither in its group nor outside it';
  const there = hasSetsid ? here : it.skip;
  there(`${leavesNone}${hasSetsid ? '' : ' (skipped: setsid is not installed)'}`, async () => {
    const nap = sleepOf();
    const end = await run(
      sandbox,
      `${nap} & (${nap} &) ; setsid sh -c 'echo up > up; exec ${nap}' & until test -s up; do sleep 0.05; done; echo done`,
    );
    expect(end).toMatchObject({ exit_code: 0, stdout: 'done\n' });
    expect(await processesWith(nap)).toBe(0);
  });
});

const confined = describe.skipIf(found.kind === 'none');
if (found.kind === 'none') console.warn(`tests of the sandbox are skipped: ${found.why}`);

confined('a command in a sandbox', () => {
  it('leaves no process behind, not even one that left its group and cleared its environment', async () => {
    const nap = sleepOf();
    const end = await run(
      found,
      `env -i setsid sh -c 'echo up > up; exec ${nap}' > /dev/null 2>&1 & until test -s up; do sleep 0.05; done`,
    );
    expect(end.exit_code).toBe(0);
    expect(await processesWith(nap)).toBe(0);
  });

  it('reports a signal as shells do', async () => {
    expect(await run(found, 'kill -SEGV $$')).toMatchObject({ exit_code: 139, spawnError: null });
  });

  it('is killed with the process that runs it', async () => {
    const nap = sleepOf();
    const script = await programOf(
      dir,
      `import { runCommand } from './src/process/run-shell-command.ts';
       const command = JSON.parse(process.argv[2]);
       await runCommand({ ...command, signal: new AbortController().signal, onOutput() {} });`,
    );
    const command = {
      command: `env -i setsid ${nap} > /dev/null 2>&1 & echo up > up; ${nap}`,
      cwd: dir,
      env: { PATH, HOME },
      timeout_ms: 600_000,
      grace_ms: 1000,
      sandbox: found,
      confinement: { writable: [dir], readable: [], network: false },
    };
    const runner = spawn(process.execPath, [script, JSON.stringify(command)], { stdio: 'inherit' });
    await expect.poll(() => readFile(join(dir, 'up'), 'utf8').catch(() => '')).toBe('up\n');
    await expect.poll(() => processesWith(nap)).toBeGreaterThan(1);
    const ended = once(runner, 'exit');
    runner.kill('SIGKILL');
    await ended;
    await expect.poll(() => processesWith(nap)).toBe(0);
  });
});
