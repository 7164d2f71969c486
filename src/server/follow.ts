/**
 * One run, followed while somebody looks: its events as they are recorded and its files as they change. File events
 * are only hints to read the log again; a slow timer makes up for those that never come.
 */
import { join, relative, sep } from 'node:path';
import { watch } from 'chokidar';
import { isBeingMade } from '../formats/file.ts';
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
  /** What agents wrote in their folders and asked, by paths relative to the run folder. */
  files(paths: readonly string[]): void;
  /** An agent printed something. */
  printed(): void;
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

  const isOfAgents = (path: string): boolean => {
    const places = tail.state?.setup.pipeline.map(step => join(files.dir, step.folder)) ?? [];
    return [files.crps, ...places].some(place => path.startsWith(place + sep));
  };

  const changed = breath(paths => {
    const told = paths.filter(isOfAgents).map(path => relative(files.dir, path));
    if (told.length > 0) ears.files(told);
    if (paths.some(path => path.startsWith(files.logs + sep))) ears.printed();
  });

  // The worktree is watched for those who look at it alone, and what is sealed does not change.
  const unwatched = [
    files.worktree,
    files.tests,
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
    if ((kind !== 'add' && kind !== 'change') || over) return;
    if (path === files.events) void look();
    if (!isBeingMade(path)) changed.add(path);
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
