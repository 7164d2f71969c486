/**
 * Runs a command of the built program in this process: the same code as `bin/run.js` without starting a process. One
 * call at a time, because environment, working directory and output are global. Use `spawnDure` for signals, closed
 * pipes and the fast path.
 */
import { Console } from 'node:console';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { packageRoot } from '../../src/process/package-paths-and-version.ts';
import type { CommandResult } from './test-project.ts';

export interface Call {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly input: string;
}

const program = join(packageRoot, 'bin/run.js');

let last: Promise<unknown> = Promise.resolve();

export function runInProcess(call: Call): Promise<CommandResult> {
  const next = last.then(() => runMain(call));
  last = next.catch(() => {});
  return next;
}

async function runMain({ args, cwd, env, input }: Call): Promise<CommandResult> {
  const { main } = (await import(join(packageRoot, 'dist/cli.js'))) as {
    main(argv: string[]): Promise<void>;
  };
  const output = { stdout: '', stderr: '' };
  const undo = [
    replaceProperty(process, 'env', defined(env)),
    replaceProperty(process, 'argv', [process.execPath, program, ...args]),
    replaceProperty(process, 'stdin', Readable.from(input === '' ? [] : [Buffer.from(input)])),
    replaceProperty(process, 'exit', () => {}),
    replaceProperty(process.stdout, 'write', writeTo(output, 'stdout')),
    replaceProperty(process.stderr, 'write', writeTo(output, 'stderr')),
    // The test runner replaces process.stdout.write.
    replaceProperty(globalThis, 'console', new Console(process.stdout, process.stderr)),
  ];
  const before = { cwd: process.cwd(), exitCode: process.exitCode, drain: process.stdout.listeners('drain') };
  process.exitCode = undefined;
  try {
    process.chdir(cwd);
    await main([...args]);
    return { code: Number(process.exitCode ?? 0), signal: null, ...output };
  } finally {
    for (const restore of undo.reverse()) restore();
    process.chdir(before.cwd);
    process.exitCode = before.exitCode;
    // Waiting for a flush leaves a listener behind, which would not outlive a real process.
    for (const listener of process.stdout.listeners('drain'))
      if (!before.drain.includes(listener)) process.stdout.off('drain', listener as () => void);
  }
}

function replaceProperty(object: object, key: string, value: unknown): () => void {
  const own = Object.getOwnPropertyDescriptor(object, key);
  Object.defineProperty(object, key, { value, configurable: true, writable: true, enumerable: true });
  return () => {
    if (own) Object.defineProperty(object, key, own);
    else Reflect.deleteProperty(object, key);
  };
}

const defined = (env: Readonly<Record<string, string | undefined>>) =>
  Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined));

/** Like `write` of a stream: an encoding and a callback may follow. */
const writeTo =
  (output: { stdout: string; stderr: string }, of: 'stdout' | 'stderr') =>
  (chunk: string | Uint8Array, ...rest: unknown[]): boolean => {
    output[of] += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString();
    const done = rest.find(one => typeof one === 'function') as (() => void) | undefined;
    if (done) queueMicrotask(done);
    return true;
  };
