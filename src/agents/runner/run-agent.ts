/**
 * Runs one agent: spawns it with pipes in its own process group, records and shows its output, talks to it, and stops
 * it. When this returns, no process of the agent is left.
 */
import type { Readable } from 'node:stream';
import { untilDiskWorks } from '../../formats/disk-errors.ts';
import { readText } from '../../formats/file.ts';
import { parseJsonLine } from '../../formats/json-access.ts';
import type { LaunchSpec } from '../../formats/launch.ts';
import { runFiles } from '../../formats/layout.ts';
import { plainText } from '../../formats/plain-text.ts';
import { IMMEDIATE_KILL, killMarked, killSteps, POLITE_KILL } from '../../process/kill.ts';
import { withoutSecrets } from '../../process/redact-secrets.ts';
import { accountOf, hasEnded, initialStream, readStreamLine, unfit } from '../streams/claude-stream.ts';
import { rawLog } from '../streams/raw-log.ts';
import { render } from '../streams/render-stream-event.ts';
import { splitLines } from '../streams/split-lines.ts';
import { LINE_LIMIT } from '../streams/summarize-raw-log.ts';
import { claudeInput, taskOnlyInput } from './agent-input.ts';
import { startAgent } from './agent-process.ts';
import { failedToStart, type ProcessEnd } from './launch-outcome.ts';
import type { PaneOutput } from './pane-output.ts';
import { delayNote } from './report-delay.ts';
import { silenceTimer } from './silence-timer.ts';

const LOG_CAP = 200_000_000;
const SAID_KEPT = 8000;
/** Time for an agent to exit after its final result. */
const LINGER_MS = 30_000;
/**
 * An unmarked process may keep the pipe of an exited agent open; the agent's own output has been read long
 * before.
 */
const DRAIN_MS = 5000;

/** Work that a runner does while its agent works. */
export interface BackgroundWork {
  /** Called when the agent has started. */
  start(): void;
  /** Called when the agent has exited, before the processes it left behind are killed. */
  stop(): void;
  /** Resolves when nothing is left to do. */
  ended(): Promise<void>;
}

export async function runAgent(
  runDir: string,
  spec: LaunchSpec,
  env: Readonly<Record<string, string>>,
  screen: PaneOutput,
  asked: AbortSignal,
  background: BackgroundWork,
): Promise<ProcessEnd> {
  const isClaude = spec.stream === 'claude';
  const [task, log] = await Promise.all([
    spec.resumes || spec.prompt === null ? null : readText(spec.prompt),
    rawLog(runFiles(runDir).stream(spec.role, spec.launch), LOG_CAP),
  ]);
  const ended = { code: null, signal: null, output: '', stopped: null, unstarted: null };
  let acc = initialStream();
  let stopped: ProcessEnd['stopped'] = null;
  const ending = (more: Partial<ProcessEnd>): ProcessEnd => ({
    ...ended,
    stream: isClaude ? 'claude' : 'text',
    account: accountOf(acc),
    stopped,
    isConfined: spec.sandbox !== undefined,
    now: Date.now(),
    ...more,
  });

  try {
    const agent = await startAgent(runDir, spec, env, screen.say).catch(
      (error: NodeJS.ErrnoException) => error,
    );
    if (agent instanceof Error) return ending({ unstarted: failedToStart(agent, spec.argv[0]!) });

    const input = isClaude ? claudeInput(agent.stdin, task) : taskOnlyInput(agent.stdin, task);
    const tail = tailOn(screen);
    const delayed = delayNote(runFiles(runDir).delay(spec.launch));
    const stderr = follow(agent.stderr, tail.say);
    const rungs: (() => void)[] = [];
    const stop = (why: NonNullable<ProcessEnd['stopped']>): void => {
      if (stopped !== null) return;
      stopped = why;
      rungs.push(killSteps(agent.signal, input.interrupt() ? POLITE_KILL : IMMEDIATE_KILL));
    };
    const onAsked = (): void => stop('asked');
    asked.addEventListener('abort', onAsked);
    if (asked.aborted) onAsked();
    background.start();
    let isStoring = false;
    // An agent cannot print while its output waits for the disk.
    const silence = silenceTimer(spec.silence_ms, () => (isStoring ? silence.hear() : stop('silent')));
    agent.stderr.on('data', silence.hear);

    const take = (line: string): void => {
      const event = isClaude ? parseJsonLine(line) : null;
      if (!event) {
        tail.say(line);
        return;
      }
      const hadEnded = hasEnded(acc);
      acc = readStreamLine(acc, event);
      delayed.hear(event);
      const shown = render(event);
      if (shown !== null) screen.say(shown);
      input.hear(event);
      const fault = acc.failure ?? (event['subtype'] === 'init' ? unfit(acc, spec.argv) : null);
      if (fault) stop(fault);
      else if (acc.longWaitMs !== null) stop({ kind: 'resource', message: 'the API rate limit was reached' });
      if (!hadEnded && hasEnded(acc)) {
        input.end();
        const linger = setTimeout(() => rungs.push(killSteps(agent.signal, IMMEDIATE_KILL)), LINGER_MS);
        rungs.push(() => clearTimeout(linger));
      }
    };
    const reading = hear(agent.stdout, take, async whole => {
      isStoring = true;
      const written = untilDiskWorks(() => log.append(whole), { signal: asked });
      await written.catch((error: NodeJS.ErrnoException) => {
        stop({ kind: 'resource', message: `the log of the agent could not be written: ${error.code}` });
      });
      isStoring = false;
      silence.hear();
    });

    const exited = agent.exited.then(async exit => {
      for (const cancel of rungs) cancel();
      asked.removeEventListener('abort', onAsked);
      background.stop();
      silence.end();
      await agent.end();
      const drained = setTimeout(() => agent.stdout.destroy(), DRAIN_MS);
      void reading.finally(() => clearTimeout(drained)).catch(() => {});
      return exit;
    });
    const [exit] = await Promise.all([exited, reading]);
    await delayed.written();
    input.end();
    stderr();
    await agent.close();
    return ending({ ...exit, output: tail.text() });
  } finally {
    killMarked(runDir, spec.launch);
    await log.close();
  }
}

/** Backpressure: reads no faster than lines are written to disk. */
async function hear(
  stdout: Readable,
  take: (line: string) => void,
  keep: (lines: readonly string[]) => Promise<void>,
): Promise<void> {
  const split = splitLines(LINE_LIMIT);
  const pass = async (whole: string[]): Promise<void> => {
    whole.forEach(take);
    await keep(whole);
  };
  try {
    for await (const chunk of stdout.setEncoding('utf8'))
      await pass(split.push(String(chunk)).map(withoutSecrets));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  }
  await pass(split.rest().map(withoutSecrets));
}

/** Shows the output outside the event stream, and keeps the end of it. */
function tailOn(screen: PaneOutput): { say(line: string): void; text(): string } {
  let tail = '';
  return {
    say(line) {
      const plain = plainText(line);
      tail = `${tail}${plain}\n`.slice(-SAID_KEPT);
      screen.say(plain);
    },
    text: () => tail.trim(),
  };
}

/** Returns a function that flushes the last line, which may lack a line end. */
function follow(stderr: Readable, take: (line: string) => void): () => void {
  const split = splitLines(SAID_KEPT);
  const hide = (line: string): void => take(withoutSecrets(line));
  stderr.setEncoding('utf8').on('data', chunk => split.push(String(chunk)).forEach(hide));
  return () => split.rest().forEach(hide);
}
