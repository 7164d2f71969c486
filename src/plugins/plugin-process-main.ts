/**
 * The program that runs an installed plugin. It loads the hooks once, answers calls until the parent exits,
 * and exits on the first uncaught error. Whatever the plugin does to its process affects only this process.
 */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { Json } from '../formats/schema/strict-json.ts';
import { errorText, parseWith } from '../process/call-plugin-code.ts';
import { importPlugin } from './import-plugin.ts';
import { asMessage, isSchema, resolvePath } from './plugin-as-message.ts';
import type { Ask, Checked, FromPlugin, HookFile, ToPlugin } from './plugin-protocol.ts';

const PARENT_WATCH = `new (require('node:net').Socket)({ fd: 0 })
  .resume().on('close', () => process.kill(process.pid, 'SIGKILL'))`;
// Standard input closes when the parent exits. Another thread watches for that, because a busy loop in the plugin would
// block this one.
new Worker(PARENT_WATCH, { eval: true }).unref();

// Saved here, before the plugin can replace them.
const send = process.send!.bind(process);
const exit = process.exit.bind(process);
const reply = (message: FromPlugin, sent?: () => void) => send(message, undefined, undefined, sent);
const fault = (text: string) => reply({ fault: text }, () => exit(1));

process.on('uncaughtException', error => fault(errorText(error)));
process.on('unhandledRejection', reason => fault(`unhandled promise rejection: ${errorText(reason)}`));
process.on('disconnect', () => exit(0));

let returned: Promise<unknown[]>;
const running = new Map<number, AbortController>();

process.on('message', (message: ToPlugin) => {
  if ('load' in message) returned = load(message.load);
  else if ('cancel' in message) {
    running.get(message.cancel)?.abort();
    reply({ cancelled: message.cancel });
  } else void answer(message.id, message.request);
});

async function answer(id: number, request: Ask): Promise<void> {
  const abort = new AbortController();
  running.set(id, abort);
  try {
    const result = await answerTo(request, abort.signal);
    // First report any problem that occurred in the meantime.
    setImmediate(() => reply({ id, result }));
  } catch (error) {
    reply({ id, error: errorText(error) });
  } finally {
    running.delete(id);
  }
}

async function answerTo(request: Ask, signal: AbortSignal): Promise<Json> {
  const all = await returned;
  if (request.ask === 'describe') return asMessage(all);
  signal.throwIfAborted();
  const { owner, value } = resolvePath(all, request.path);
  if (request.ask === 'check') return (await check(value, request.value)) as Json;
  const call = value as (this: unknown, ...args: unknown[]) => unknown;
  return asJson(await call.apply(owner, request.args.map(withSignal(signal))));
}

async function check(schema: unknown, value: unknown): Promise<Checked> {
  if (typeof schema !== 'object' || schema === null || !isSchema(schema))
    throw new TypeError('it is not a schema');
  const read = await parseWith(schema, value);
  if (read.success) return { valid: true, value: asJson(read.data) };
  return {
    valid: false,
    issues: read.error.issues.map(({ path, message }) => ({ path: path.map(String), message })),
  };
}

/**
 * The value after a round trip through JSON, so that whatever JSON cannot represent is dropped here and not in
 * transit.
 */
const asJson = (value: unknown): Json =>
  (value === undefined ? null : JSON.parse(JSON.stringify(value))) as Json;

/** A signal cannot be serialized, so each call passes a signal of this process instead. */
const withSignal =
  (signal: AbortSignal) =>
  (arg: unknown): unknown =>
    typeof arg === 'object' && arg !== null && 'signal' in arg ? { ...arg, signal } : arg;

const ENDINGS = ['', '.js', '.mjs', '.cjs', '/index.js', '/index.mjs', '/index.cjs'];

async function load(hooks: readonly HookFile[]): Promise<unknown[]> {
  const all: unknown[] = [];
  for (const hook of hooks) {
    const run = (await hookIn(hook)) as (this: object, options: object) => unknown;
    all.push(await run.call(HOOK_CONTEXT, {}));
  }
  return all;
}

async function hookIn({ root, target, identifier }: HookFile): Promise<unknown> {
  const path = resolve(root, target);
  const file = ENDINGS.map(ending => path + ending).find(one => existsSync(one) && one !== root) ?? path;
  const module = (await importPlugin(pathToFileURL(file).href)) as Record<string, unknown>;
  const inside = module['default'] as Record<string, unknown> | undefined;
  const named = module[identifier] ?? inside?.[identifier];
  const hook = [named, inside, inside?.['default']].find(one => typeof one === 'function');
  if (!hook) throw new TypeError(`${target} exports no function`);
  return hook;
}

/** The `this` of a hook, as oclif provides it. */
const HOOK_CONTEXT = {
  debug() {},
  log: (text: unknown) => console.error(text),
  warn: (text: unknown) => console.error(text),
  error(problem: unknown) {
    throw problem instanceof Error ? problem : new Error(String(problem));
  },
  exit(code = 0) {
    throw new Error(`EEXIT: ${code}`);
  },
};
