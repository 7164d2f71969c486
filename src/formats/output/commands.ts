/** The shape of each command's `--json` output. Tests validate real output against it. */
import { z } from 'zod';
import { SANDBOX_MODES } from '../agent-sandbox.ts';
import { CONFIG_NAMES } from '../config/config.ts';
import { crpFile, vcrFile } from '../crp-and-vcr.ts';
import { runEvent } from '../events/events.ts';
import { evidenceFile } from '../evidence.ts';
import { criteriaReportFile } from '../exam/criteria-report.ts';
import { linesOfResult } from '../exam/exam-units-and-faults.ts';
import { missingAfterSetUp } from '../missing-after-set-up.ts';
import { hash, timestamp } from '../schema/common-fields.ts';
import type { FileFormat } from '../schema/define-file.ts';
import { conflictedFile, stateFile } from '../state.ts';
import {
  findings,
  inspected,
  installedPlugin,
  listedRun,
  pluginType,
  printed,
  recordedDecision,
  runOutcome,
  waitingRun,
} from './common.ts';
import { proven } from './prove.ts';

const run_id = z.string();
const configName = z.enum(CONFIG_NAMES);
const left = { run_id, why: z.string() };
const merged = { how: z.enum(['merge', 'branch', 'pr']), merged: z.boolean(), into: z.string().nullable() };

const shapes = {
  answer: printed({ run_id, crp: crpFile.shape.optional(), vcr: vcrFile.shape }),
  approve: printed({ ...runOutcome, ...merged, commit: hash, test_files: z.int().nonnegative() }),
  attach: printed({
    run_id,
    session: z.string(),
    command: z.string().describe('command that attaches to the session'),
  }),
  bundle: printed({
    run_id,
    file: z.string(),
    bytes: z.int(),
    commit: hash.describe('the commit of the pack'),
    signed: z.boolean(),
    needs: z.array(hash).describe('commits that a clone must have to check the pack'),
    pushed: z.string().nullable().describe('remote that the pack was pushed to'),
  }),
  clean: printed({
    dry_run: z.boolean(),
    removed: z.array(run_id),
    finished: z.array(run_id).describe('runs whose removal was interrupted earlier'),
    kept: z.array(z.strictObject(left)),
  }),
  completion: printed({ shell: z.enum(['bash', 'zsh', 'fish']), script: z.string() }),
  'config-check': printed({
    config: z.string(),
    plugins: z.array(z.strictObject({ plugin: z.string(), problem: z.string() })),
  }),
  'config-get': printed({ key: z.string().nullable(), value: z.json() }),
  'config-set': printed({ key: z.string(), value: z.json() }),
  demo: printed({ rehearsal: z.literal(true), project: z.string(), ...runOutcome }),
  help: printed({
    about: z.string().describe('the command or topic; empty: Dure as a whole'),
    help: z.string(),
  }),
  history: printed({ runs: z.array(listedRun) }),
  inbox: printed({
    waiting: z.array(waitingRun),
    unreadable: z.array(
      z.strictObject({
        project: z.string(),
        run_id: run_id.nullable().describe('null if the runs of the project cannot be listed'),
        problem: z.string(),
        suggestions: z.array(z.string()),
      }),
    ),
  }),
  init: printed({
    project: z.string(),
    written: z.array(configName),
    allow_bypass: z.boolean(),
    sandbox: z.enum(SANDBOX_MODES),
    backend: z.string(),
    proposals: z.array(
      z.strictObject({
        setting: z.string(),
        value: z.unknown(),
        because: z.string().describe('what the proposal is based on, such as a lockfile or a script'),
        written: z.boolean().describe('whether it was written to global.json'),
      }),
    ),
    exclusions: z.array(
      z.strictObject({
        tool: z.string(),
        file: z.string(),
        is: z.enum(['covered', 'needed']),
        say: z.string().describe('why nothing is needed, or the line to add to the file'),
      }),
    ),
    imports: z.string().nullable().describe('command that imports what another tool left here'),
    findings: findings.describe('findings of `dure doctor --quick`'),
  }),
  'import-orchestral': printed({
    config: z.array(configName).describe('config files that were changed'),
    runs: z.array(run_id),
    decisions: z.int().describe('number of standing decisions imported with the runs'),
    notes: z.array(z.string()).describe('what could not be imported, one line each'),
  }),
  doctor: printed({ project: z.string(), findings }),
  exam: printed(runOutcome),
  extend: printed(runOutcome),
  logs: printed({
    run_id,
    events: z.array(runEvent).optional(),
    agent: z.string().optional(),
    lines: z.array(z.string()).optional().describe('output of the agent'),
  }),
  open: printed({ run_id, worktree: z.string() }),
  pages: printed({ address: z.string().describe('valid once, for two minutes') }),
  plugins: printed({ plugins: z.array(installedPlugin) }),
  'plugins-check': printed(inspected.shape),
  'plugins-inspect': printed({ ...inspected.shape, type: pluginType }),
  'plugins-install': printed({ plugins: z.array(inspected) }),
  'plugins-link': printed(inspected.shape),
  'plugins-reset': printed({ removed: z.array(z.string()), reinstalled: z.array(z.string()) }),
  'plugins-uninstall': printed({ removed: z.array(z.string()) }),
  'plugins-update': printed({ plugins: z.array(installedPlugin) }),
  rebase: printed({
    ...runOutcome,
    base: hash.describe('the new base'),
    onto: z.string().describe('name of the new base'),
    same_patch: z.boolean().describe('the changes are the same as before'),
    conflicts: z.array(conflictedFile),
  }),
  prove: printed(proven.shape),
  recover: printed({
    runs: z.array(
      z.strictObject({
        run_id,
        phase: z.string(),
        interrupted_from: z.string().nullable(),
        updated_at: timestamp,
      }),
    ),
    recovered: z.array(run_id),
    branch: z.string().optional().describe('with --how branch'),
    commit: hash.optional().describe('commit of the last sealed result, with --how branch'),
  }),
  reject: printed({ run_id, feedback: z.int().positive(), comments: z.int().nonnegative() }),
  retry: printed(runOutcome),
  review: printed({
    run_id,
    phase: z.string(),
    tree: hash,
    commit: hash.nullable().describe('the sealed result; null while there is none'),
    evidence: evidenceFile.shape,
    criteria: criteriaReportFile.shape,
    lines: linesOfResult,
    summary: z.string(),
    patch: z
      .string()
      .nullable()
      .optional()
      .describe(
        'the patch as text; null if it is too large; changes.patch of the pack has the original bytes',
      ),
    pack: z.string(),
    command: z.string().nullable(),
  }),
  serve: printed({ runs: z.array(z.strictObject(runOutcome)) }),
  start: printed({
    ...runOutcome,
    not_included: z.array(z.string()).describe('uncommitted changes that the agents do not see'),
    missing_files: missingAfterSetUp.missing_files,
    attach: z.string().nullable().describe('command that shows the running agents'),
  }),
  status: printed({
    ...stateFile.shape.shape,
    ...runOutcome,
    origin: z.json(),
    driven: z.boolean().describe('whether the run has a driver'),
    briefing: z.string().describe('first line of the briefing'),
    duration_ms: z.number().nonnegative().describe('time so far, or in total if the run is over'),
  }),
  stop: printed(runOutcome),
  verify: printed({
    run_id,
    checks: z.array(
      z.strictObject({
        check: z.enum(['log', 'state', 'decisions', 'seals', 'bundles', 'pack']),
        fault: z.string().nullable(),
      }),
    ),
    decisions: z.array(recordedDecision),
  }),
  version: printed({ dure: z.string(), node: z.string(), platform: z.string(), arch: z.string() }),
  wait: printed(runOutcome),
  watch: printed(runOutcome),
};

export type OutputName = keyof typeof shapes;
export const OUTPUT_NAMES = Object.keys(shapes) as OutputName[];

/** Published as `schemas/output/<name>.json`. */
export const outputs: ReadonlyMap<OutputName, FileFormat> = new Map(
  OUTPUT_NAMES.map(name => [
    name,
    {
      name: `output/${name}.json`,
      about: `What \`dure ${name.replace('-', ' ')} --json\` prints.`,
      shape: shapes[name],
    },
  ]),
);

/** The shape of each line that `dure logs --json --follow` prints. */
export const followed: FileFormat = {
  name: 'output/logs-line.json',
  about: 'A line that `dure logs --json --follow` prints, with or without `--agent`.',
  shape: z.union([runEvent, z.strictObject({ agent: z.string(), line: z.string() })]),
};
