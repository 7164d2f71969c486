/**
 * Manages the process of an installed plugin: starts it on first use, restarts it after a crash, and stops it
 * when it is idle or this process exits. A plugin that hangs, loops or exits fails only its own calls and
 * blocks nothing else.
 */
import { type ChildProcess, fork } from 'node:child_process';
import type { Socket } from 'node:net';
import type { Json } from '../formats/schema/strict-json.ts';
import { distFile } from '../process/package-paths-and-version.ts';
import type { Ask, FromPlugin, HookFile, ToPlugin } from './plugin-protocol.ts';

/** Milliseconds without a call after which the process is stopped. */
const IDLE_MS = 300_000;
/** Milliseconds allowed for a process to acknowledge a cancelled call, or to exit. */
const GRACE_MS = 2000;
/** After this many crashes within `CRASH_WINDOW_MS`, the process is not restarted for a while. */
const MAX_CRASHES = 3;
const CRASH_WINDOW_MS = 600_000;
const MAX_STDERR = 2000;

export interface PluginProcess {
  /**
   * Returns the plugin's answer. Rejects with the plugin's error, or with the signal's reason when `signal`
   * fires.
   */
  ask(request: Ask, signal: AbortSignal): Promise<Json>;
  end(): void;
}

interface Pending {
  resolve(value: Json): void;
  reject(error: unknown): void;
}

interface LiveProcess {
  readonly child: ChildProcess;
  readonly pending: Map<number, Pending>;
  /** Why the process is being stopped, if known in advance. */
  why: string | null;
}

/** `onFault` receives crashes that happen outside a call. */
export function pluginProcess(hooks: readonly HookFile[], onFault: (problem: string) => void): PluginProcess {
  const crashes: { readonly at: number; readonly why: string }[] = [];
  let live: LiveProcess | null = null;
  let lastId = 0;
  let idle: NodeJS.Timeout | undefined;

  function start(): LiveProcess {
    const recent = crashes.filter(({ at }) => performance.now() - at < CRASH_WINDOW_MS);
    if (recent.length >= MAX_CRASHES)
      throw new Error(
        `its process exited ${recent.length} times in ten minutes and will not be restarted for now: ${recent.at(-1)!.why}`,
      );
    const started = spawnProcess();
    void exitReason(started).then(why => {
      if (live !== started) return;
      live = null;
      crashes.push({ at: performance.now(), why });
      if (started.pending.size === 0) onFault(why);
      for (const { reject } of started.pending.values()) reject(new Error(why));
    });
    send(started, { load: hooks });
    return started;
  }

  function end(): void {
    const ending = live;
    live = null;
    clearTimeout(idle);
    ending?.child.kill('SIGKILL');
  }

  return {
    end,
    async ask(request, signal) {
      signal.throwIfAborted();
      clearTimeout(idle);
      live ??= start();
      const target = live;
      const id = ++lastId;
      const cancel = () => {
        target.pending.get(id)?.reject(signal.reason);
        send(target, { cancel: id });
        endUnlessAcknowledged(target, id);
      };
      try {
        return await new Promise<Json>((resolve, reject) => {
          target.pending.set(id, { resolve, reject });
          signal.addEventListener('abort', cancel, { once: true });
          send(target, { id, request });
        });
      } finally {
        signal.removeEventListener('abort', cancel);
        target.pending.delete(id);
        if (target === live && target.pending.size === 0) idle = setTimeout(end, IDLE_MS).unref();
      }
    },
  };
}

function spawnProcess(): LiveProcess {
  const child = fork(distFile('plugin-process.cjs'), [], {
    stdio: ['pipe', 'ignore', 'pipe', 'ipc'],
    execArgv: [],
  });
  // The timer of each call keeps this process alive; an idle plugin must not.
  child.unref();
  child.channel?.unref();
  for (const stream of [child.stdin, child.stderr] as unknown as Socket[]) stream.unref();
  const live: LiveProcess = { child, pending: new Map(), why: null };
  child.on('message', (message: FromPlugin) => {
    if ('fault' in message) live.why = message.fault;
    else if ('error' in message) live.pending.get(message.id)?.reject(new Error(message.error));
    else if ('result' in message) live.pending.get(message.id)?.resolve(message.result);
  });
  return live;
}

const send = ({ child }: LiveProcess, message: ToPlugin): void => {
  // If the process has exited, the message is lost; `exitReason` handles the exit.
  child.send(message, () => {});
};

/**
 * Resolves to the reason why the process exited. A plugin that closed its channel can no longer be called, so
 * its process is killed.
 */
function exitReason(live: LiveProcess): Promise<string> {
  const { child } = live;
  const lastErrorLine = lastLine(child);
  return new Promise(resolve => {
    child.once('error', ({ message }) => resolve(`its process could not be started: ${message}`));
    child.once('disconnect', () => setTimeout(() => child.kill('SIGKILL'), GRACE_MS).unref());
    child.once('exit', (code, signal) => {
      const settle = () =>
        resolve(live.why ?? `its process exited (${signal ?? `exit status ${code}`})${lastErrorLine()}`);
      // First read the messages that the process sent before it exited.
      if (child.connected) child.once('disconnect', settle);
      else settle();
    });
  });
}

function endUnlessAcknowledged(live: LiveProcess, id: number): void {
  const { child } = live;
  const acknowledged = (message: FromPlugin) => {
    if ('cancelled' in message && message.cancelled === id) settle();
  };
  const timer = setTimeout(() => {
    settle();
    live.why = 'its process stopped responding and was killed';
    child.kill('SIGKILL');
  }, GRACE_MS).unref();
  const settle = () => {
    clearTimeout(timer);
    child.off('message', acknowledged);
  };
  child.on('message', acknowledged);
}

/** Returns a function that returns the last line of standard error, where most programs print the reason. */
function lastLine({ stderr }: ChildProcess): () => string {
  let text = '';
  stderr?.setEncoding('utf8').on('data', (more: string) => {
    text = (text + more).slice(-MAX_STDERR);
  });
  return () => {
    const line = text.trim().split('\n').at(-1);
    return line ? `: ${line}` : '';
  };
}
