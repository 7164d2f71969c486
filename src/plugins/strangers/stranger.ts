/**
 * A plugin that did not come with Dure, as the host sees it: the same object its author wrote, but each of its functions
 * is called in a process of its own. It cannot hang, end or change the process that drives a run.
 */
import { z } from 'zod';
import type { Json } from '../../formats/json.ts';
import type { PluginContext } from '../../index.ts';
import { asked, askedNow } from './call.ts';
import type { Checked, FarCall, FarShape, HookPlace, Wanted, Way } from './question.ts';

/** Milliseconds for an answer the caller has to wait for: a prompt, an outcome, a command line. */
const AT_ONCE_MS = 10_000;

/** What its hooks give, in their order. */
export async function given(hooks: readonly HookPlace[], signal: AbortSignal): Promise<unknown[]> {
  const far = (await asked({ want: 'all', hooks }, signal)) as Json[];
  const ask = atOnce(hooks);
  return far.map(one => revived(one, '', { hooks, ask }));
}

interface Reach {
  readonly hooks: readonly HookPlace[];
  ask(wanted: Wanted): Json;
}

/** Who has not answered in time once is not waited for again. */
function atOnce(hooks: readonly HookPlace[]): Reach['ask'] {
  let lost: unknown = null;
  return wanted => {
    if (lost) throw lost;
    try {
      return askedNow({ ...wanted, hooks }, AT_ONCE_MS);
    } catch (error) {
      if (/longer than/.test(String(error))) lost = error;
      throw error;
    }
  };
}

function revived(far: Json, key: string, reach: Reach): unknown {
  if (typeof far !== 'object' || far === null) return far;
  if (Array.isArray(far)) return far.map(one => revived(one, '', reach));
  if ('$call' in far) return called((far as unknown as FarCall).$call, key, reach);
  if ('$shape' in far) return shaped(far as unknown as FarShape, reach);
  return Object.fromEntries(Object.entries(far).map(([name, one]) => [name, revived(one, name, reach)]));
}

function called(way: Way, key: string, { hooks, ask }: Reach): unknown {
  if (key === 'notify')
    return async (notice: unknown, context: PluginContext) => {
      await asked({ want: 'call', way, args: [notice, { ...context, signal: null }], hooks }, context.signal);
    };
  const call = (...args: unknown[]) => ask({ want: 'call', way, args });
  return key === 'enabled' ? onceEach(call) : call;
}

/** Whether a channel wants to be heard depends on the configuration, which is one object for a whole run. */
function onceEach(call: (config: object, platform: unknown) => Json) {
  const known = new WeakMap<object, Json>();
  return (config: object, platform: unknown): Json => {
    const answer = known.get(config) ?? call(config, platform);
    known.set(config, answer);
    return answer;
  };
}

/** Checks on the other side, once for a value that did not change: files are looked at every second. */
function shaped({ $shape: way, schema }: FarShape, { ask }: Reach): z.ZodType {
  let last: { readonly text: string; readonly checked: Checked } | null = null;
  const check = (value: unknown): Checked => {
    const text = JSON.stringify(value) ?? 'null';
    if (last?.text !== text)
      last = { text, checked: ask({ want: 'check', way, value }) as unknown as Checked };
    return last.checked;
  };
  const shape = z.unknown().transform((value, ctx) => {
    const found = check(value);
    if (found.fits) return found.value;
    for (const { path, message } of found.problems) ctx.addIssue({ code: 'custom', path, message });
    return z.NEVER;
  });
  return schema ? shape.meta({ ...schema }) : shape;
}
