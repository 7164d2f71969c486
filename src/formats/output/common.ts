/** Shapes in the `--json` output that several commands share, or whose type the commands use. */
import { z } from 'zod';
import { crpFile } from '../crp-and-vcr.ts';
import { decidedBy } from '../decision-provenance.ts';
import { DECISION_KINDS } from '../requests-and-feedback.ts';
import { crpId, hash, timestamp } from '../schema/common-fields.ts';
import { stateFile } from '../state.ts';
import { JSON_VERSION } from './json-envelope.ts';

const errorShape = z.strictObject({
  code: z.string().regex(/^E_[A-Z_]+$/),
  message: z.string(),
  suggestions: z.array(z.string()).describe('what to do about it'),
});
const head = { version: z.literal(JSON_VERSION) };
const tail = { warnings: z.array(errorShape).min(1).optional().describe('problems of plugins') };

/**
 * Adds the keys that surround every result. Output with an error may contain the part of the result that is already
 * known.
 */
export const printed = <S extends z.ZodRawShape>(result: S) =>
  z.discriminatedUnion('ok', [
    z.strictObject({ ok: z.literal(true), ...head, ...result, ...tail }),
    z.strictObject({
      ok: z.literal(false),
      ...head,
      ...z.object(result).partial().shape,
      ...tail,
      error: errorShape.extend({ exit: z.int().positive().describe('exit status of the command') }),
    }),
  ]);

const waitsShape = {
  waits_for: z.enum(['answer', 'approval', 'recovery']).nullable(),
  command: z.string().nullable().describe('command that continues the run'),
};

export const runOutcome = {
  run_id: z.string(),
  phase: z.string(),
  iteration: z.int().positive(),
  verdict: stateFile.shape.shape.verdict.describe('as in state.json'),
  tests: stateFile.shape.shape.tests.describe('as in state.json'),
  tree: hash.nullable().describe('the tree that an approval applies to'),
  pending_crp: crpId.nullable(),
  cost_usd: z.number().nonnegative(),
  cost_complete: z.boolean().describe('false: cost_usd is a lower bound'),
  ...waitsShape,
};

export const listedRun = z.strictObject({
  run_id: z.string(),
  phase: z.string().describe('a phase, or `starting` or `unreadable`'),
  iteration: z.int().positive().nullable(),
  started_at: timestamp.nullable(),
  updated_at: timestamp.nullable(),
  duration_ms: z.number().nonnegative().nullable(),
  cost: z.string(),
  cost_usd: z.number().nonnegative().nullable(),
  cost_complete: z.boolean(),
  briefing: z.string().describe('first line of the briefing'),
  origin: z.string().nullable().describe('folder it was imported from'),
  problem: z.string().nullable().describe('why the run could not be read'),
});
export type ListedRun = z.infer<typeof listedRun>;

export const waitingRun = z.strictObject({
  project: z.string().describe('folder of the project'),
  run_id: z.string(),
  briefing: z.string().describe('first line of the briefing'),
  waits_for: z
    .enum(['answer', 'approval', 'recovery', 'time'])
    .describe('time: an agent has exceeded its time limit and is still running'),
  since: timestamp,
  question: crpFile.shape.nullable(),
  command: z.string().describe('command that continues the run, for use in the current folder'),
});
export type WaitingRun = z.infer<typeof waitingRun>;

/** A decision that a run recorded, compared with the proof and signature in the file that a person left. */
export const recordedDecision = z.strictObject({
  seq: z.int().positive().describe('line number in events.log'),
  at: timestamp,
  kind: z.enum(DECISION_KINDS),
  file: z.string().describe('path in the run folder'),
  who: z.string().nullable().describe('null if the log does not say'),
  through: decidedBy.shape.through.nullable(),
  proof: z
    .enum(['valid', 'not valid', 'not kept', 'not checked'])
    .describe('not kept: a later request replaced the file; not checked: made with an earlier key'),
  signature: z.enum(['valid', 'not valid', 'not kept', 'none']),
  key: z.string().nullable().describe('fingerprint of the SSH key that signed it; null: not signed'),
  unsigned: z.string().nullable().describe('why the SSH key configured in git could not sign it'),
  fault: z.string().nullable(),
});
export type RecordedDecision = z.infer<typeof recordedDecision>;

const names = z.array(z.string());
export const pluginType = z
  .enum(['user', 'link'])
  .describe('`user`: installed; `link`: linked from a folder');
const plugin = { plugin: z.string(), plugin_version: z.string().nullable(), root: z.string() };

export const installedPlugin = z.strictObject({ ...plugin, type: pluginType });
export type InstalledPlugin = z.infer<typeof installedPlugin>;

export const inspected = z.strictObject({
  ...plugin,
  gives: z.strictObject({
    channels: names,
    roles: names,
    pipelines: names,
    verdicts: names,
    backends: names,
    config: names.describe('sections of global.json that it checks'),
    commands: names.describe('commands that it adds'),
    hooks: names.describe('oclif hooks that it listens to'),
  }),
  problems: names.describe('problems that keep it from working'),
  advice: names.describe('advice for the author; the plugin works without it'),
});
export type Inspection = z.infer<typeof inspected>;

/** What `dure doctor` finds. */
export const findings = z.array(
  z.strictObject({
    name: z.string().describe('what was examined, such as sandbox, claude or check:lint'),
    status: z.enum(['ok', 'warning', 'problem']).describe('problem: a run would fail'),
    seen: z.string(),
    fix: z.string().nullable().describe('how to fix it'),
  }),
);
