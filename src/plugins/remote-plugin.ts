/**
 * An installed plugin as the rest of Dure sees it: the same object as in its code, except that its functions run in the
 * plugin's process and are therefore asynchronous.
 */
import { z } from 'zod';
import type { Json } from '../formats/schema/strict-json.ts';
import { callWithin } from '../process/call-plugin-code.ts';
import { type PluginProcess, pluginProcess } from './plugin-process.ts';
import type { Checked, HookFile, RemoteFunction, RemoteSchema } from './plugin-protocol.ts';

/** Milliseconds allowed for one answer. */
const LIMIT_MS = 10_000;

/** Returns the values that the hooks returned, in order. `onFault` receives crashes outside a call. */
export async function remotePlugins(
  hooks: readonly HookFile[],
  signal: AbortSignal,
  onFault: (problem: string) => void,
): Promise<unknown[]> {
  const process = pluginProcess(hooks, onFault);
  try {
    const described = (await process.ask({ ask: 'describe' }, signal)) as Json[];
    return described.map(one => revived(one, process));
  } catch (error) {
    process.end();
    throw error;
  }
}

function revived(described: Json, process: PluginProcess): unknown {
  if (typeof described !== 'object' || described === null) return described;
  if (Array.isArray(described)) return described.map(one => revived(one, process));
  if ('$function' in described) return remoteFunction(described as unknown as RemoteFunction, process);
  if ('$schema' in described) return remoteSchema(described as unknown as RemoteSchema, process);
  return Object.fromEntries(Object.entries(described).map(([key, one]) => [key, revived(one, process)]));
}

/** A signal in an argument cancels the call; without one, the call has a time limit. */
const remoteFunction =
  ({ $function: path }: RemoteFunction, process: PluginProcess) =>
  (...args: unknown[]): Promise<Json> => {
    const own = args.flatMap(arg => (hasSignal(arg) ? [arg.signal] : []))[0];
    const plain = args.map(arg => (hasSignal(arg) ? { ...arg, signal: null } : arg));
    const ask = (signal: AbortSignal) => process.ask({ ask: 'call', path, args: plain }, signal);
    return own ? ask(own) : callWithin(LIMIT_MS, ask);
  };

const hasSignal = (arg: unknown): arg is { readonly signal: AbortSignal } =>
  typeof arg === 'object' && arg !== null && 'signal' in arg && arg.signal instanceof AbortSignal;

/** Does not send an unchanged value again, because files are checked every second. */
function remoteSchema({ $schema: path, json }: RemoteSchema, process: PluginProcess): z.ZodType {
  let last: { readonly text: string; readonly checked: Checked } | null = null;
  const check = async (value: unknown): Promise<Checked> => {
    const text = JSON.stringify(value) ?? 'null';
    if (last?.text === text) return last.checked;
    const checked = await callWithin(LIMIT_MS, signal =>
      process.ask({ ask: 'check', path, value }, signal).then(answer => answer as unknown as Checked),
    );
    last = { text, checked };
    return checked;
  };
  const schema = z.unknown().transform(async (value, ctx) => {
    const checked = await check(value);
    if (checked.valid) return checked.value;
    for (const { path, message } of checked.issues) ctx.addIssue({ code: 'custom', path, message });
    return z.NEVER;
  });
  return json ? schema.meta({ ...json }) : schema;
}
