/**
 * Calls a runner a little before its launch is due, so that it has loaded when the work before it is sealed. A guess
 * that costs nothing when it is wrong: a runner takes its launch only when that is written and of its role, and leaves
 * after a while otherwise.
 */
import { stat } from 'node:fs/promises';
import { AHEAD_MS } from '../agents/runner/called.ts';
import type { RunState } from '../formats/state.ts';
import type { Launch } from './desired.ts';
import { currentStep, stepAfter } from './pipeline.ts';
import type { Site } from './site.ts';

/** Runners that were called, by the number of their launch. */
export type Called = Map<number, { readonly role: string; readonly at: number }>;

/** Whether a runner waits for this launch now. */
export function isCalled(called: Called, { launch, step }: Launch): boolean {
  const one = called.get(launch);
  return one?.role === step.role && Date.now() - one.at < AHEAD_MS - 1000;
}

/** Calls the runner of the launch that follows if all goes well, unless it has been called. */
export async function callAhead({ launcher }: Site, s: RunState, called: Called): Promise<void> {
  const step = stepAfter(s.setup, currentStep(s).name);
  // With a budget the next agent has to wait until this one is accounted for.
  if (!step || s.budget_usd !== null) return;
  const launch = s.launch + 1;
  if (isCalled(called, { launch, step, notBefore: null })) return;
  called.set(launch, { role: step.role, at: Date.now() });
  // Who cannot be called now is started when it is due, and then it is said why it cannot.
  await launcher.start({ role: step.role, launch }).catch(() => called.delete(launch));
}

/** The log is what an agent writes when all else is done: the runner after it is called, once. */
export async function callAtLog(site: Site, s: RunState, called: Called): Promise<void> {
  if (s.since === null || s.todo || s.waiting || called.has(s.launch + 1)) return;
  const log = await stat(site.files.logOf(currentStep(s).folder)).catch(() => null);
  if (log && log.mtimeMs >= Date.parse(s.since)) await callAhead(site, s, called);
}
