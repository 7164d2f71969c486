/**
 * Runs one agent: spawns it with pipes in its own process group, records and shows its output, talks to it, and stops
 * it. When this returns, no process of the agent is left.
 */
import type { Readable } from 'node:stream';
import { untilDiskWorks } from '../../formats/file-system/temporary-disk-errors.ts';
import { runFiles } from '../../formats/layout.ts';
import { readText } from '../../formats/read-and-write-files.ts';
import { parseJsonLine } from '../../formats/schema/json-access.ts';
import { plainText } from '../../formats/text/plain-text.ts';
import { IMMEDIATE_KILL, killMarked, killSteps, POLITE_KILL } from '../../process/kill.ts';
import { withoutSecrets } from '../../process/redact-secrets.ts';
import { hasEnded, initialStream, readStreamLine, streamSummary } from '../streams/claude-stream-summary.ts';
import { rawLog } from '../streams/raw-log-writer.ts';
import { render } from '../streams/render-stream-event.ts';
import { splitLines } from '../streams/split-lines.ts';
import { LINE_LIMIT } from '../streams/summary-from-raw-log.ts';
import { claudeInput, taskOnlyInput } from './agent-input.ts';
import type { ClaimedLaunch } from './claimed-launch-interface.ts';
import { configurationMismatch } from './claude-configuration-mismatch.ts';
import { failedToStart, type ProcessEnd } from './determine-launch-outcome.ts';
import { costWatch, silenceTimer } from './launch-limits.ts';
import type { PaneOutput } from './pane-output.ts';
import { delayReporter } from './report-delay.ts';
import { startAgent } from './start-agent.ts';

const LOG_CAP = 200_000_000;
const OUTPUT_TAIL_LENGTH = 8000;
/** Time for an agent to exit after its final result. */
const LINGER_MS = 30_000;
/**
 * Milliseconds to wait for the output of an exited agent to end. A process without Dure's marks may keep the pipe
 * open; the agent's own output has been read long before then.
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

export async function runAgent(claimed: ClaimedLaunch, background: BackgroundWork): Promise<ProcessEnd> {
  const { runDir, spec, env, screen, stopSignal } = claimed;
  const isClaude = spec.stream === 'claude';
  const [task, log] = await Promise.all([
    spec.resumes || spec.prompt === null ? null : readText(spec.prompt),
    rawLog(runFiles(runDir).stream(spec.role, spec.launch), LOG_CAP),
  ]);
  const ended = { code: null, signal: null, output: '', stopped: null, startFailure: null };
  let acc = initialStream();
  let stopped: ProcessEnd['stopped'] = null;
  const ending = (overrides: Partial<ProcessEnd>): ProcessEnd => ({
    ...ended,
    stream: isClaude ? 'claude' : 'text',
    summary: streamSummary(acc),
    stopped,
    isConfined: spec.sandbox !== undefined,
    now: Date.now(),
    ...overrides,
  });

  try {
    const agent = await startAgent(runDir, spec, env, screen.print).catch(
      (error: NodeJS.ErrnoException) => error,
    );
    if (agent instanceof Error) return ending({ startFailure: failedToStart(agent, spec.argv[0]!) });

    const input = isClaude ? claudeInput(agent.stdin, task) : taskOnlyInput(agent.stdin, task);
    const tail = outputTail(screen);
    const delays = delayReporter(runFiles(runDir).delay(spec.launch));
    const flushStderr = forwardLines(agent.stderr, tail.append);
    const cancelers: (() => void)[] = [];
    const stop = (why: NonNullable<ProcessEnd['stopped']>): void => {
      if (stopped !== null) return;
      stopped = why;
      cancelers.push(killSteps(agent.signal, input.interrupt() ? POLITE_KILL : IMMEDIATE_KILL));
    };
    const onStopRequested = (): void => stop('asked');
    stopSignal.addEventListener('abort', onStopRequested);
    if (stopSignal.aborted) onStopRequested();
    background.start();
    let isStoring = false;
    // An agent cannot print while its output waits for the disk.
    const silence = silenceTimer(spec.silence_ms, () => (isStoring ? silence.reset() : stop('silent')));
    agent.stderr.on('data', silence.reset);
    const cost = costWatch(spec.budget_usd, input.askForCost, () => stop('budget'));

    let hasPrinted = false;
    const handleLine = (line: string): void => {
      const event = isClaude ? parseJsonLine(line) : null;
      // The answer to Dure's own request for the cost does not count as output of the agent.
      hasPrinted ||= event?.['type'] !== 'control_response';
      if (!event) {
        tail.append(line);
        return;
      }
      const hadEnded = hasEnded(acc);
      acc = readStreamLine(acc, event);
      delays.onEvent(event);
      const shown = render(event);
      if (shown !== null) screen.print(shown);
      input.onEvent(event);
      const fault =
        acc.failure ?? (event['subtype'] === 'init' ? configurationMismatch(acc, spec.argv) : null);
      if (!hasEnded(acc)) cost.onUsage(streamSummary(acc).usage);
      if (fault) stop(fault);
      else if (acc.longWaitMs !== null) stop({ kind: 'resource', message: 'the API rate limit was reached' });
      if (!hadEnded && hasEnded(acc)) {
        input.end();
        const linger = setTimeout(() => cancelers.push(killSteps(agent.signal, IMMEDIATE_KILL)), LINGER_MS);
        cancelers.push(() => clearTimeout(linger));
      }
    };
    const reading = readLines(agent.stdout, handleLine, async lines => {
      isStoring = true;
      const written = untilDiskWorks(() => log.append(lines), { signal: stopSignal });
      await written.catch((error: NodeJS.ErrnoException) => {
        stop({ kind: 'resource', message: `the log of the agent could not be written: ${error.code}` });
      });
      isStoring = false;
      if (hasPrinted) silence.reset();
      hasPrinted = false;
    });

    const exited = agent.exited.then(async exit => {
      for (const cancel of cancelers) cancel();
      stopSignal.removeEventListener('abort', onStopRequested);
      background.stop();
      silence.stop();
      cost.stop();
      await agent.end();
      const drained = setTimeout(() => agent.stdout.destroy(), DRAIN_MS);
      void reading.finally(() => clearTimeout(drained)).catch(() => {});
      return exit;
    });
    const [exit] = await Promise.all([exited, reading]);
    await delays.flush();
    input.end();
    flushStderr();
    await agent.close();
    return ending({ ...exit, output: tail.text() });
  } finally {
    killMarked(runDir, spec.launch);
    await log.close();
  }
}

/** Backpressure: reads no faster than lines are written to disk. */
async function readLines(
  stdout: Readable,
  onLine: (line: string) => void,
  store: (lines: readonly string[]) => Promise<void>,
): Promise<void> {
  const split = splitLines(LINE_LIMIT);
  const handleLines = async (lines: string[]): Promise<void> => {
    lines.forEach(onLine);
    await store(lines);
  };
  try {
    for await (const chunk of stdout.setEncoding('utf8'))
      await handleLines(split.push(String(chunk)).map(withoutSecrets));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  }
  await handleLines(split.remainder().map(withoutSecrets));
}

/** Shows output that is not part of the event stream, and keeps its last characters. */
function outputTail(screen: PaneOutput): { append(line: string): void; text(): string } {
  let tail = '';
  return {
    append(line) {
      const plain = plainText(line);
      tail = `${tail}${plain}\n`.slice(-OUTPUT_TAIL_LENGTH);
      screen.print(plain);
    },
    text: () => tail.trim(),
  };
}

/** Passes on each line. Returns a function that flushes the last one, which may lack a trailing newline. */
function forwardLines(stderr: Readable, onLine: (line: string) => void): () => void {
  const split = splitLines(OUTPUT_TAIL_LENGTH);
  const forward = (line: string): void => onLine(withoutSecrets(line));
  stderr.setEncoding('utf8').on('data', chunk => split.push(String(chunk)).forEach(forward));
  return () => split.remainder().forEach(forward);
}
