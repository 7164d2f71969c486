/**
 * Follows one run: reports new events, and signals when an agent prints. File events only trigger a read of the log;
 * a slow timer covers missed file events.
 */
import { sep } from 'node:path';
import { watch } from 'chokidar';
import type { RunFiles } from '../../formats/layout.ts';
import type { RunState } from '../../formats/state.ts';
import { type LogStep, logTail } from './event-log-tail.ts';

const SLOW_MS = 1000;
const PRINTED_MS = 20;

export interface Follower {
  readonly state: RunState | null;
  /** Reads the log now. Resolves once new events have been reported. */
  readLog(): Promise<void>;
  close(): Promise<void>;
}

export interface FollowerListener {
  /** Events with a sequence number greater than `since`. */
  events(steps: readonly LogStep[]): void;
  /** An agent has printed something. Output in quick succession is reported once. */
  printed(): void;
  /** The log is damaged. Called at most once; no other call follows. */
  broken(error: Error): void;
}

export function followRun(files: RunFiles, since: number, listener: FollowerListener): Follower {
  const tail = logTail(files.events);
  let closed = false;
  let printing: NodeJS.Timeout | null = null;

  const readLog = async (): Promise<void> => {
    if (closed) return;
    try {
      const steps = (await tail.next()).filter(({ seq }) => seq > since);
      if (steps.length > 0 && !closed) listener.events(steps);
    } catch (error) {
      if (closed) return;
      closed = true;
      listener.broken(error as Error);
    }
  };

  const printed = () => {
    printing ??= setTimeout(() => {
      printing = null;
      listener.printed();
    }, PRINTED_MS);
  };

  const watcher = watch(files.dir, {
    depth: 1,
    ignoreInitial: true,
    followSymlinks: false,
    ignored: path =>
      ![files.dir, files.events, files.logs].includes(path) && !path.startsWith(files.logs + sep),
  });
  watcher.on('all', (kind, path) => {
    if ((kind !== 'add' && kind !== 'change') || closed) return;
    if (path === files.events) void readLog();
    if (path.startsWith(files.logs + sep)) printed();
  });
  // No more watches are available, or the folder is gone: the timer still reads the log.
  watcher.on('error', () => {});
  const timer = setInterval(() => void readLog(), SLOW_MS);
  void readLog();

  return {
    get state() {
      return tail.state;
    },
    readLog,
    async close() {
      closed = true;
      clearInterval(timer);
      if (printing) clearTimeout(printing);
      await watcher.close();
    },
  };
}
