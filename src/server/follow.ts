/**
 * One run, followed while somebody looks: its events as they are recorded and its files as they change. File events
 * are only hints to read the log again; a slow timer makes up for those that never come.
 */
import { relative, sep } from 'node:path';
import { watch } from 'chokidar';
import type { RunFiles } from '../formats/layout.ts';
import type { RunState } from '../formats/state.ts';
import { breath } from './breath.ts';
import { type LogStep, logTail } from './log-tail.ts';

const SLOW_MS = 1000;

export interface Follower {
  readonly state: RunState | null;
  /** Reads the log again now. Resolves when what it held was told. */
  look(): Promise<void>;
  close(): Promise<void>;
}

export interface Ears {
  /** Events with a number above `since`. */
  events(steps: readonly LogStep[]): void;
  /** Paths relative to the run folder. */
  files(paths: readonly string[]): void;
  /** Once, and nothing after it: the log is damaged. */
  broken(error: Error): void;
}

export function follow(files: RunFiles, since: number, ears: Ears): Follower {
  const tail = logTail(files.events);
  let over = false;

  const look = async (): Promise<void> => {
    if (over) return;
    try {
      const steps = (await tail.next()).filter(({ seq }) => seq > since);
      if (steps.length > 0 && !over) ears.events(steps);
    } catch (error) {
      if (over) return;
      over = true;
      ears.broken(error as Error);
    }
  };

  const changed = breath(ears.files);

  // The worktree is watched for those who look at it alone, and what is sealed does not change.
  const unwatched = [
    files.worktree,
    files.tests,
    files.proof,
    files.sealed,
    files.mrpCode,
    files.mrpTests,
    files.launches,
  ];
  const watcher = watch(files.dir, {
    depth: 1,
    ignoreInitial: true,
    followSymlinks: false,
    ignored: path => unwatched.some(place => path === place || path.startsWith(place + sep)),
  });
  watcher.on('all', (kind, path) => {
    if (kind === 'addDir' || kind === 'unlinkDir' || over) return;
    if (path === files.events) void look();
    changed.add(relative(files.dir, path));
  });
  // Out of watches, or the folder is gone: the timer still looks.
  watcher.on('error', () => {});
  const timer = setInterval(() => void look(), SLOW_MS);
  void look();

  return {
    get state() {
      return tail.state;
    },
    look,
    async close() {
      over = true;
      clearInterval(timer);
      changed.end();
      await watcher.close();
    },
  };
}
