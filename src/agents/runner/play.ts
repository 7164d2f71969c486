/**
 * One agent from its start to its end: spawned on pipes in a process group of its own, heard, shown, written down,
 * spoken to, and ended. Whatever happens, nothing of it runs any more when this returns.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { readText } from '../../formats/file.ts';
import type { LaunchSpec } from '../../formats/launch.ts';
import { runFiles } from '../../formats/layout.ts';
import { AFTER_A_WORD, AT_ONCE, climb, marksOf, reap, signalGroup } from '../kill.ts';
import { LINE_LIMIT } from '../streams/account.ts';
import { accountOf, begin, type Failure, isOver, step, unfit } from '../streams/claude.ts';
import { lines } from '../streams/lines.ts';
import { parseLine } from '../streams/loose.ts';
import { plain } from '../streams/plain.ts';
import { rawLog } from '../streams/raw-log.ts';
import { render } from '../streams/render.ts';
import { dictation, withClaude } from './conversation.ts';
import { delayNote } from './delay-note.ts';
import { type Ending, unstartable } from './outcome.ts';
import type { Screen } from './screen.ts';

const LOG_CAP = 200_000_000;
const SAID_KEPT = 8000;
/** An agent that has given its last result and does not end. */
const LINGER_MS = 30_000;
/** Somebody unmarked may hold the pipe of an agent that has ended; its last words are there long before. */
const DRAIN_MS = 5000;

export async function play(
  runDir: string,
  spec: LaunchSpec,
  env: Readonly<Record<string, string>>,
  screen: Screen,
  asked: AbortSignal,
): Promise<Ending> {
  const isClaude = spec.stream === 'claude';
  const [task, log] = await Promise.all([
    spec.resumes || spec.prompt === null ? null : readText(spec.prompt),
    rawLog(runFiles(runDir).stream(spec.role, spec.launch), LOG_CAP),
  ]);
  const ended = { code: null, signal: null, said: '', stopped: null, unstarted: null };
  let acc = begin();
  let stopped: Ending['stopped'] = null;
  const ending = (more: Partial<Ending>): Ending => ({
    ...ended,
    stream: isClaude ? 'claude' : 'text',
    account: accountOf(acc),
    stopped,
    now: Date.now(),
    ...more,
  });

  try {
    const child = await start(runDir, spec, env).catch((error: NodeJS.ErrnoException) => error);
    if (child instanceof Error) return ending({ unstarted: unstartable(child, spec.argv[0]!) });

    const speech = isClaude ? withClaude(child.stdin!, task) : dictation(child.stdin!, task);
    const tail = tailOn(screen);
    const delayed = delayNote(runFiles(runDir).delay(spec.launch));
    const stderr = follow(child.stderr!, tail.say);
    const rungs: (() => void)[] = [];
    const stop = (why: Failure | 'asked'): void => {
      if (stopped !== null) return;
      stopped = why;
      rungs.push(climb(child.pid!, speech.interrupt() ? AFTER_A_WORD : AT_ONCE));
    };
    const onAsked = (): void => stop('asked');
    asked.addEventListener('abort', onAsked);
    if (asked.aborted) onAsked();

    const take = (line: string): void => {
      const event = isClaude ? parseLine(line) : null;
      if (!event) {
        tail.say(line);
        return;
      }
      const wasOver = isOver(acc);
      acc = step(acc, event);
      delayed.hear(event);
      const shown = render(event);
      if (shown !== null) screen.say(shown);
      speech.hear(event);
      const fault = acc.failure ?? (event['subtype'] === 'init' ? unfit(acc, spec.argv) : null);
      if (fault) stop(fault);
      else if (acc.longWaitMs !== null) stop({ kind: 'resource', message: 'a rate limit of the API' });
      if (!wasOver && isOver(acc)) {
        speech.end();
        const linger = setTimeout(() => rungs.push(climb(child.pid!, AT_ONCE)), LINGER_MS);
        rungs.push(() => clearTimeout(linger));
      }
    };
    const heard = hear(child.stdout!, take, async whole => {
      await log.append(whole).catch((error: NodeJS.ErrnoException) => {
        stop({ kind: 'resource', message: `the log of the agent could not be written: ${error.code}` });
      });
    });

    const exited = once(child, 'exit').then(([code, signal]) => {
      for (const cancel of rungs) cancel();
      asked.removeEventListener('abort', onAsked);
      signalGroup(child.pid!, 'SIGKILL');
      reap(runDir, spec.launch);
      const drained = setTimeout(() => child.stdout!.destroy(), DRAIN_MS);
      void heard.finally(() => clearTimeout(drained)).catch(() => {});
      return { code: code as number | null, signal: signal as string | null };
    });
    const [exit] = await Promise.all([exited, heard]);
    await delayed.written();
    speech.end();
    stderr();
    return ending({ ...exit, said: tail.text() });
  } finally {
    reap(runDir, spec.launch);
    await log.close();
  }
}

async function start(
  runDir: string,
  spec: LaunchSpec,
  env: Readonly<Record<string, string>>,
): Promise<ChildProcess> {
  // A missing folder and a missing program are both ENOENT to spawn.
  if (!existsSync(spec.cwd)) throw new Error(`the folder ${spec.cwd} is missing`);
  const [program, ...args] = spec.argv;
  const child = spawn(program!, args, {
    cwd: spec.cwd,
    env: { ...env, ...marksOf(runDir, spec.launch) },
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  await once(child, 'spawn');
  child.on('error', () => {});
  return child;
}

/** Reads no faster than the lines are written down: an agent that floods has to wait. */
async function hear(
  stdout: Readable,
  take: (line: string) => void,
  keep: (lines: readonly string[]) => Promise<void>,
): Promise<void> {
  const split = lines(LINE_LIMIT);
  const pass = async (whole: string[]): Promise<void> => {
    whole.forEach(take);
    await keep(whole);
  };
  try {
    for await (const chunk of stdout.setEncoding('utf8')) await pass(split.push(String(chunk)));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  }
  await pass(split.rest());
}

/** Shows what is said beside the stream of events, and keeps the end of it. */
function tailOn(screen: Screen): { say(line: string): void; text(): string } {
  let tail = '';
  return {
    say(line) {
      const said = plain(line);
      tail = `${tail}${said}\n`.slice(-SAID_KEPT);
      screen.say(said);
    },
    text: () => tail.trim(),
  };
}

/** Returns what takes the last line, which may have no end. */
function follow(stderr: Readable, take: (line: string) => void): () => void {
  const split = lines(SAID_KEPT);
  stderr.setEncoding('utf8').on('data', chunk => split.push(String(chunk)).forEach(take));
  return () => split.rest().forEach(take);
}
