/** Creates runs with a prepared log, for read-only commands. */

import { cp, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { newRunKey } from '../../src/core/run/record/hmac-key.ts';
import { openJournal } from '../../src/core/run/run-store.ts';
import type { Crp } from '../../src/formats/crp-and-vcr.ts';
import type { RunEvent } from '../../src/formats/events/events.ts';
import { type RunFiles, runFiles } from '../../src/formats/layout.ts';
import { replace } from '../../src/formats/read-and-write-files.ts';
import type { RunState } from '../../src/formats/state.ts';
import { setupWith } from '../helpers/sample-setup.ts';
import { sampleOptions, startedEvent } from '../helpers/sample-values.ts';
import type { TestProject } from '../helpers/test-project.ts';

export const BASE = '1'.repeat(40);
export const TREE = '2'.repeat(40);
const at = (second: number) => new Date(Date.UTC(2026, 0, 31, 14, 22, second)).toISOString();

/** An event without its time; the times are one second apart. */
export type Untimed = RunEvent extends infer E ? (E extends RunEvent ? Omit<E, 'at'> : never) : never;

const refiner = { agent: 'refiner', step: 'refine', launch: 1 } as const;

export const QUESTION: Crp = {
  crp_id: 'crp-001',
  created_by: 'refiner',
  type: 'architecture',
  question: 'Which database?',
  options: [
    { id: 'sqlite', label: 'SQLite', risk: 'One writer at a time' },
    { id: 'postgres', label: 'PostgreSQL' },
  ],
  recommendation: 'sqlite',
  status: 'pending',
};

export const STARTED: Untimed[] = [{ type: 'agent.started', ...refiner, iteration: 1 }];
export const ASKED: Untimed[] = [
  ...STARTED,
  {
    type: 'agent.exited',
    ...refiner,
    outcome: 'ok',
    kind: null,
    message: '',
    retry_at: null,
    session: null,
    asks: false,
    usage: {
      input_tokens: 10,
      output_tokens: 5,
      cache_read_input_tokens: 0,
      cache_creation_input_tokens: 0,
      cost_usd: 0.25,
    },
  },
  {
    type: 'crp.created',
    crp_id: 'crp-001',
    agent: 'refiner',
    hash: 'h',
    seen_as: 'crp-001',
    why: 'question',
    question: 'Which database?',
    crp: QUESTION,
  },
];
export const READY: Untimed[] = [
  ...STARTED,
  { type: 'mrp.created', commit: BASE, tree: TREE, cost_usd: 0.25, files: {}, pack: BASE },
];
export const COMPLETED: Untimed[] = [
  ...READY,
  { type: 'run.completed', how: 'merge', merged: true, into: 'main', commit: BASE, tree: TREE },
];
export const FAILED: Untimed[] = [...STARTED, { type: 'run.failed', reason: 'it could not be built' }];
export const STOPPED: Untimed[] = [...STARTED, { type: 'run.stopped', reason: 'enough' }];

/** The key of this process's state folder, which the commands of the project get too. */
async function sharedKey(project: TestProject): Promise<string> {
  const { id } = await newRunKey(project.root);
  const into = join(project.env['HOME']!, '.local/state/dure');
  await mkdir(into, { recursive: true, mode: 0o700 });
  await cp(join(process.env['XDG_STATE_HOME']!, 'dure/private.key'), join(into, 'private.key'));
  return id;
}

export async function prepareRun(
  project: TestProject,
  id: string,
  events: readonly Untimed[],
  {
    briefing = '# Keep the notes somewhere\n',
    setup = setupWith(),
    launcher = 'process' as 'process' | 'tmux',
  } = {},
): Promise<{ files: RunFiles; state: RunState }> {
  const files = runFiles(project.files.run(id));
  await replace(files.raw, briefing);
  if (events.some(e => e.type === 'crp.created'))
    await replace(files.crp('crp-001'), JSON.stringify(QUESTION));
  const journal = await openJournal(files);
  const options = sampleOptions({
    base: BASE,
    environment: join(project.parentFolder, 'environments', id),
    launcher,
  });
  const key = await sharedKey(project);
  await journal.append(startedEvent({ at: at(0), run_id: id, base: BASE, briefing, options, setup, key }));
  for (const [i, event] of events.entries()) await journal.append({ at: at(i + 1), ...event } as RunEvent);
  return { files, state: journal.state! };
}
