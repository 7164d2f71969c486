/** Read-only commands, on prepared runs. */

import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, mkdir, readFile, rm } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { replace } from '../../src/formats/read-and-write-files.ts';
import { setupWith } from '../helpers/sample-setup.ts';
import { bin, type TestProject, testProject } from '../helpers/test-project.ts';
import {
  ASKED,
  COMPLETED,
  FAILED,
  prepareRun,
  QUESTION,
  READY,
  STARTED,
  STOPPED,
  TREE,
  type Untimed,
} from './prepared-runs.ts';

const RUN = {
  asked: 'run-20260131-142207',
  started: 'run-20260131-142206',
  ready: 'run-20260131-142205',
  completed: 'run-20260131-142204',
  failed: 'run-20260131-142203',
  stopped: 'run-20260131-142202',
};
let project: TestProject;

beforeAll(async () => {
  project = await testProject();
  expect((await project.dure(['init', '--yes'])).code).toBe(0);
  await prepareRun(project, RUN.stopped, STOPPED);
  await prepareRun(project, RUN.failed, FAILED);
  await prepareRun(project, RUN.completed, COMPLETED);
  await prepareRun(project, RUN.ready, READY);
  await prepareRun(project, RUN.started, STARTED);
  await prepareRun(project, RUN.asked, ASKED);
});
afterAll(() => project.remove());

describe('dure status', () => {
  it('shows the newest run, what it waits for, and the exact command to answer with', async () => {
    const { code, stdout } = await project.dure(['status']);
    expect(code).toBe(0);
    expect(stdout).toContain(RUN.asked);
    expect(stdout).toContain('waiting for you');
    expect(stdout).toContain(`dure answer ${RUN.asked}`);
    expect(stdout).toContain('$0.25');
  });

  it('with --json, prints the whole state, whether the run has a driver, and what it waits for', async () => {
    const { code, json } = await project.dureJson(['status', RUN.ready]);
    expect(code).toBe(0);
    expect(json).toMatchObject({
      ok: true,
      version: 1,
      run_id: RUN.ready,
      phase: 'ready_for_merge',
      driven: false,
      waits_for: 'approval',
      mrp: { tree: TREE },
      tree: TREE,
      cost_usd: 0,
      cost_complete: false,
      briefing: 'Keep the notes somewhere',
      duration_ms: expect.any(Number),
    });
  });

  it('shows a run without a driver as interrupted', async () => {
    const { json } = await project.dureJson(['status', RUN.started]);
    expect(json).toMatchObject({
      phase: 'interrupted',
      interrupted_from: 'refine',
      waits_for: 'recovery',
      command: `dure recover ${RUN.started}`,
    });
  });

  it('does not read standard input', async () => {
    const { code, stdout } = await project.dure(['status'], { input: `${RUN.failed}\n` });
    expect(code).toBe(0);
    expect(stdout).toContain(RUN.asked);
  });

  it.each([60, 80, 140])('fits in %i columns, and prints no colours to a pipe', async width => {
    const { stdout } = await project.dure(['status'], { env: { COLUMNS: String(width) } });
    expect(stdout).not.toContain('\u001b');
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(width);
  });
});

describe('dure history', () => {
  it('lists runs newest first, filtered by its flags', async () => {
    const all = await project.dureJson(['history']);
    expect((all.json['runs'] as { run_id: string }[]).map(run => run.run_id)).toEqual(Object.values(RUN));
    const some = await project.dureJson(['history', '--limit', '2', '--state', 'failed']);
    expect(some.json['runs']).toMatchObject([
      { run_id: RUN.failed, phase: 'failed', briefing: 'Keep the notes somewhere' },
    ]);
  });

  it.each([60, 80, 140])('fits in %i columns', async width => {
    const { stdout } = await project.dure(['history'], { env: { COLUMNS: String(width) } });
    expect(stdout).toContain(RUN.failed);
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(width);
  });

  it('lists the other runs if one cannot be read, and says why', async () => {
    const bad = 'run-20260131-142201';
    await replace(`${project.files.run(bad)}/state.json`, '{"run_id": 1}');
    const { code, json } = await project.dureJson(['history', '--limit', '20']);
    expect(code).toBe(0);
    expect((json['runs'] as object[]).at(-1)).toMatchObject({
      run_id: bad,
      phase: 'unreadable',
      problem: expect.stringContaining('events.log'),
    });
    expect(json['runs']).toHaveLength(7);
  });
});

describe('dure logs', () => {
  it('describes events in plain sentences', async () => {
    const { stdout } = await project.dure(['logs', RUN.failed]);
    expect(stdout.trim().split('\n')).toHaveLength(3);
    expect(stdout).toContain('The run failed: it could not be built');
  });

  it('prints events as JSON, one per line with --follow, and exits when the run is over', async () => {
    const whole = await project.dureJson(['logs', RUN.completed]);
    const followed = await project.dure(['logs', RUN.completed, '--json', '--follow']);
    expect(followed.code).toBe(0);
    const lines = followed.stdout
      .trim()
      .split('\n')
      .map(line => JSON.parse(line));
    expect(lines).toEqual(whole.json['events']);
    expect(lines.at(-1)).toMatchObject({ type: 'run.completed', into: 'main' });
  });

  it('with --raw, prints events.log unchanged', async () => {
    const { stdout } = await project.dure(['logs', RUN.stopped, '--raw']);
    expect(stdout).toBe(await readFile(`${project.files.run(RUN.stopped)}/events.log`, 'utf8'));
  });

  it('filters events by the configured level', async () => {
    expect((await project.dure(['config', 'set', 'log_level', 'error'])).code).toBe(0);
    const { stdout } = await project.dure(['logs', RUN.failed]);
    expect(stdout.trim().split('\n')).toHaveLength(1);
    await project.dure(['config', 'set', 'log_level', 'info']);
  });

  it('shows the output of an agent from all its launches', async () => {
    const said = (text: string) =>
      `${JSON.stringify({ type: 'assistant', message: { content: [{ type: 'text', text }] } })}\n`;
    await replace(`${project.files.run(RUN.failed)}/logs/builder.2.jsonl`, said('First try'));
    await replace(`${project.files.run(RUN.failed)}/logs/builder.10.jsonl`, said('Second try'));
    const { stdout } = await project.dure(['logs', RUN.failed, '--agent', 'builder']);
    expect(stdout).toBe('First try\nSecond try\n');
    const unknown = await project.dureJson(['logs', RUN.failed, '--agent', 'gatekeeper']);
    expect(unknown.code).toBe(2);
    expect(unknown.json.error).toMatchObject({
      code: 'E_NO_STREAM',
      suggestions: ['Output is available for: builder.'],
    });
  });

  it('shows the output of a text backend unchanged, even if its lines are JSON', async () => {
    const dir = project.files.run(RUN.failed);
    const line = '{"type":"item.completed","item":{"text":"done"}}';
    await replace(`${dir}/logs/prover.11.jsonl`, `${line}\nplain\n`);
    const launch = {
      launch: 11,
      run_id: RUN.failed,
      role: 'prover',
      step: 'prove',
      iteration: 1,
      backend: 'codex',
      stream: 'text',
      argv: ['codex'],
      cwd: '/',
      variables: [],
      environment: '/gone.json',
      checks_environment: null,
      prompt: null,
      resumes: false,
      session: null,
      artefacts: [],
      created_at: '2026-01-31T14:22:00.000Z',
    };
    await replace(`${dir}/launches/11.json`, JSON.stringify(launch));
    expect((await project.dure(['logs', RUN.failed, '--agent', 'prover'])).stdout).toBe(`${line}\nplain\n`);
  });

  it('rejects a log that was edited', async () => {
    const id = 'run-20260131-142100';
    const { files } = await prepareRun(project, id, STOPPED);
    await appendFile(files.events, 'not an event\n');
    const { code, json } = await project.dureJson(['logs', id]);
    expect(code).toBe(1);
    expect(json.error?.code).toBe('E_LOG_CORRUPT');
  });
});

describe('an invalid log', () => {
  it.each([
    ['a file larger than any log', (file: string) => execFileSync('truncate', ['-s', '3G', file])],
    ['a pipe', (file: string) => execFileSync('mkfifo', [file])],
    ['a folder', (file: string) => mkdir(file)],
  ])('%s in place of events.log is reported as a damaged log', async (what, place) => {
    const id = `run-20260131-1421${String(what.length).padStart(2, '0')}`;
    const { files } = await prepareRun(project, id, STOPPED);
    for (const file of [files.events, files.state]) await rm(file);
    await place(files.events);
    for (const command of ['status', 'logs']) {
      const { code, json } = await project.dureJson([command, id]);
      expect(code).toBe(1);
      expect(json.error).toMatchObject({
        code: 'E_LOG_CORRUPT',
        message: expect.stringContaining(`${files.events} was changed or damaged: it `),
      });
    }
    await rm(files.dir, { recursive: true });
  });
});

describe('derived files', () => {
  it.each(['driver.json', 'state.json'])('a damaged %s does not hide the run', async name => {
    const id = name === 'state.json' ? 'run-20260131-142101' : 'run-20260131-142102';
    const { files } = await prepareRun(project, id, READY);
    await replace(`${files.dir}/${name}`, '{ "process": ');
    const { code, json } = await project.dureJson(['status', id]);
    expect({ code, json }).toMatchObject({
      code: 0,
      json: { run_id: id, phase: 'ready_for_merge', driven: false },
    });
    await rm(files.dir, { recursive: true });
  });
});

it('only a complete run id is looked for in git: a branch dure/9999 does not mean that files are gone', async () => {
  await project.git('branch', 'dure/9999');
  await project.git('branch', 'dure/run-20250101-000000');
  const codes = ['9999', '20250101', 'run-20250101-000000', '20250101-000000'].map(
    async run => (await project.dureJson(['status', run])).json.error?.code,
  );
  expect(await Promise.all(codes)).toEqual([
    'E_RUN_NOT_FOUND',
    'E_RUN_NOT_FOUND',
    'E_RUN_FILES_GONE',
    'E_RUN_FILES_GONE',
  ]);
});

describe('dure wait', () => {
  it.each([
    ['completed', 'done', 0],
    ['failed', 'done', 1],
    ['stopped', 'done', 5],
    ['asked', 'human', 0],
    ['ready', 'human', 0],
  ] as const)('for a %s run, --for %s exits with %i', async (name, what, exit) => {
    const text = await project.dure(['wait', RUN[name], '--for', what]);
    const json = await project.dureJson(['wait', RUN[name], '--for', what]);
    expect([text.code, json.code]).toEqual([exit, exit]);
    expect(json.json).toMatchObject({ ok: exit === 0, run_id: RUN[name] });
  });

  it('waits no longer than its time limit', async () => {
    const { code, json } = await project.dureJson(['wait', RUN.asked, '--for', 'done', '--timeout', '1']);
    expect(code).toBe(1);
    expect(json.error?.code).toBe('E_WAIT_TIMEOUT');
  });

  it('waits for the run that its abbreviated id named at the start, even if it soon names several', async () => {
    const { files } = await prepareRun(project, 'run-20260204-101010', ASKED);
    const child = spawn(process.execPath, [bin, 'wait', '20260204', '--timeout', '3'], {
      cwd: project.root,
      env: project.env as NodeJS.ProcessEnv,
    });
    let shown = '';
    child.stderr.setEncoding('utf8').on('data', chunk => {
      shown += chunk;
    });
    await once(child.stderr, 'data');
    const { files: newer } = await prepareRun(project, 'run-20260204-101011', ASKED);
    await once(child, 'close');
    expect(shown).toContain('run-20260204-101010 is still in waiting_human');
    for (const { dir } of [files, newer]) await rm(dir, { recursive: true });
  });

  it('reports that the run is waiting for the user, and for what', async () => {
    const { stderr } = await project.dure(['wait', RUN.ready, '--timeout', '1']);
    expect(stderr).toMatch(new RegExp(`^${RUN.ready} is waiting for you: dure review ${RUN.ready}`));
    expect(stderr.split('waiting for you')).toHaveLength(2);
  });
});

describe('dure watch', () => {
  const answered = { crp_id: 'crp-001', decision: 'retry', rationale: '', applies_to_future: false } as const;
  const own = { type: 'crp.created', agent: 'dure', hash: 'h', why: 'failure', question: 'Again?' } as const;
  const again: Untimed[] = [
    ...STARTED,
    { ...own, crp_id: 'crp-001', seen_as: 'crp-001', crp: QUESTION },
    { type: 'vcr.created', vcr_id: 'vcr-001', ...answered, effect: 'retry', unattended: true },
    { ...own, crp_id: 'crp-002', seen_as: 'crp-002', crp: { ...QUESTION, crp_id: 'crp-002' } },
  ];

  it.each([
    ['a question', ASKED, false],
    ['a question that --yes has answered before', again, true],
  ])('with --json, exits with 3 for %s', async (_, events, take_recommendations) => {
    const setup = setupWith({ take_recommendations });
    const id = `run-20251231-142207${take_recommendations ? '-2' : ''}`;
    const { files, state } = await prepareRun(project, id, events, { setup });
    await replace(files.crp(state.pending_crp!), JSON.stringify({ ...QUESTION, crp_id: state.pending_crp }));
    const { code, json } = await project.dureJson(['watch', id]);
    expect({ code, json }).toMatchObject({ code: 3, json: { error: { code: 'E_WAITING' }, run_id: id } });
    await rm(files.dir, { recursive: true });
  });
});

describe('errors', () => {
  it.each([
    ['an unknown flag', ['status', '--nonsense'], 2, 'E_USAGE'],
    ['an invalid flag value', ['wait', '--for', 'godot'], 2, 'E_USAGE'],
  ])(
    'have the same exit status in text and JSON, with a code and a suggestion: %s',
    async (_, args, exit, code) => {
      const env = { IS_SANDBOX: undefined };
      const text = await project.dure(args, { env });
      const json = await project.dureJson(args, { env });
      expect(text).toMatchObject({ code: exit, stderr: expect.stringContaining(code) });
      expect(text.stderr).toContain('Try:');
      expect(json).toMatchObject({ code: exit, stderr: '', json: { ok: false, version: 1 } });
      expect(json.json.error).toMatchObject({ code, exit });
      expect(json.json.error?.suggestions).not.toEqual([]);
    },
  );

  it('suggest the closest command', async () => {
    const { stderr } = await project.dure(['stauts']);
    expect(stderr).toContain('Did you mean `dure status`?');
  });

  it('contain the open question if their code is E_NO_ANSWER', async () => {
    const { json } = await project.dureJson(['answer', RUN.asked]);
    expect(json).toMatchObject({ run_id: RUN.asked, crp: { crp_id: 'crp-001', recommendation: 'sqlite' } });
  });

  it('suggest dure init for every command outside a project', async () => {
    for (const args of [['status'], ['history'], ['start', 'x']]) {
      const { code, json } = await project.dureJson(args, { cwd: project.parentFolder });
      expect(code).toBe(2);
      expect(json.error?.code).toBe('E_NOT_A_PROJECT');
    }
  });
});

describe('dure --version', () => {
  it('prints the same with and without the fast path', async () => {
    for (const args of [['--version'], ['-V']]) {
      const short = await project.spawnDure(args);
      const long = await project.spawnDure(args, { env: { DURE_NO_FAST: '1' } });
      expect(short).toEqual(long);
      expect(short).toMatchObject({
        code: 0,
        stderr: '',
        stdout: expect.stringMatching(/^dure\/\d+\.\d+\.\d+ /),
      });
    }
  });
});
