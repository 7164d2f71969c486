/** A project that was used with the predecessor, Orchestral, and continues with Dure. */

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { lstat, readdir, readFile, readlink, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readEvents } from '../../src/core/run/run-store.ts';
import { runFiles } from '../../src/formats/layout.ts';
import { validPart } from '../../src/workspace/project/import-settings.ts';
import { type TestProject, testProject } from '../helpers/test-project.ts';

const CONFIG = {
  global: {
    max_iterations: 4,
    tmux_session_prefix: 'orchestral',
    web_port: 3000,
    log_level: 'info',
    timeouts: { refiner: 300_000, builder: 900_000, verifier: 300_000, gatekeeper: 300_000 },
    timeout_action: 'warn',
    notifications: { terminal_bell: false, system_notify: false },
    auto_retry: { enabled: true, max_attempts: 2, recoverable_errors: ['crash', 'timeout', 'panic'] },
    theme: 'dark',
  },
  refiner: {
    model: 'haiku',
    auto_fill: { allowed: ['numeric_defaults', 'naming', 'file_paths'], forbidden: ['architecture'] },
    delegation_keywords: ['적당히', '알아서', '합리적으로'],
    max_refinement_iterations: 2,
  },
  builder: { model: 'opus', constraints: { max_file_size_lines: '500' } },
};

const state = (run_id: string, phase: string, more: object = {}) => ({
  run_id,
  phase,
  iteration: 1,
  max_iterations: 3,
  started_at: '2024-01-15T14:30:22Z',
  updated_at: '2024-01-15T15:02:15Z',
  agents: {
    refiner: {
      status: 'completed',
      started_at: '2024-01-15T14:30:25Z',
      completed_at: '2024-01-15T14:31:00Z',
    },
    builder: { status: 'running', started_at: '2024-01-15T14:31:01Z' },
    verifier: { status: 'pending' },
    gatekeeper: { status: 'pending' },
  },
  pending_crp: null,
  history: [{ phase: 'refine', result: 'completed', timestamp: '2024-01-15T14:31:00Z' }],
  ...more,
});

const done = (at: string) => ({ status: 'completed', completed_at: at });
const RUN = 'run-20240115-143022';
const EVENTS =
  '2024-01-15T14:30:22Z [INFO] run.started run_id=run-20240115-143022\n2024-01-15T14:30:25Z [INFO] agent.started agent=refiner\n';

const RUNS: Record<string, Record<string, unknown>> = {
  [RUN]: {
    'state.json': state(RUN, 'completed', {
      iteration: 2,
      agents: {
        refiner: done('2024-01-15T14:31:00Z'),
        builder: done('2024-01-15T14:40:00Z'),
        verifier: done('2024-01-15T14:50:00Z'),
        gatekeeper: done('2024-01-15T15:00:00Z'),
      },
    }),
    'events.log': EVENTS,
    'briefing/raw.md': '로그인 API를 만들어 주세요\n',
    'builder/output/src/app.ts': 'export {};\n',
    'builder/output/node_modules/left-pad/index.js': 'x',
    'gatekeeper/review.md': 'Fine.\n',
    'gatekeeper/verdict.json': { verdict: 'PASS', reason: 'All is well' },
    'crp/crp-001.json': {
      crp_id: 'crp-001',
      created_at: '2024-01-15T14:35:00Z',
      created_by: 'refiner',
      type: 'clarification',
      question: 'Rate limiting을 어떤 기준으로 적용할까요?',
      context: '',
      options: [{ id: 'A', label: 'IP당 분당 60회', description: '기본값', risk: '낮음' }],
      recommendation: 'A',
      status: 'resolved',
    },
    'vcr/vcr-001.json': {
      vcr_id: 'vcr-001',
      crp_id: 'crp-001',
      created_at: '2024-01-15T14:36:00Z',
      decision: 'A',
      rationale: 'MVP에서는 단순한 방식으로 시작',
      applies_to_future: true,
    },
    'mrp/summary.md': '# Done\n',
  },
  'run-20240116-090000': {
    'state.json': state('run-20240116-090000', 'build'),
    'briefing/raw.md': '# Half way\n',
  },
  'run-20240117-090000': {
    'state.json': state('run-20240117-090000', 'failed'),
    'gatekeeper/verdict.json': '{ "verdict": ',
  },
  'run-1705500000000': { 'state.json': 'not JSON at all', 'briefing/raw.md': 'An odd one\n' },
};

let project: TestProject;
beforeEach(async () => {
  project = await testProject();
  const write = (path: string, value: unknown) =>
    project.write(`.orchestral/${path}`, typeof value === 'string' ? value : JSON.stringify(value, null, 2));
  for (const [name, value] of Object.entries(CONFIG)) await write(`config/${name}.json`, value);
  for (const [run, files] of Object.entries(RUNS))
    for (const [path, value] of Object.entries(files)) await write(`runs/${run}/${path}`, value);
  await symlink('../../../../README.md', join(project.root, `.orchestral/runs/${RUN}/builder/output/link`));
  execFileSync('mkfifo', [join(project.root, `.orchestral/runs/${RUN}/pipe`)]);
});
afterEach(() => project.remove());

/** Names, types, contents, times and permissions of all files below a folder. */
async function imprint(dir: string): Promise<string> {
  const all = createHash('sha256');
  for (const name of (await readdir(dir, { recursive: true })).sort()) {
    const path = join(dir, name);
    const found = await lstat(path);
    all.update(`${name}\0${found.mode}\0${found.mtimeMs}\0${found.size}\0`);
    if (found.isFile()) all.update(await readFile(path));
    if (found.isSymbolicLink()) all.update(await readlink(path));
  }
  return all.digest('hex');
}

const historyOf = async () => {
  const { json } = await project.dureJson(['history']);
  return json['runs'] as { run_id: string; phase: string; origin: string | null; briefing: string }[];
};

/** Sets up the project and imports; returns the JSON result. */
async function imported() {
  await project.dure(['init', '--yes']);
  const { code, json, stderr } = await project.dureJson(['import-orchestral']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return json;
}

describe('an Orchestral project', () => {
  it('is not imported by dure init, which names the command that imports it', async () => {
    expect((await project.dureJson(['init', '--yes'])).json['imports']).toBe('dure import-orchestral');
    expect(await historyOf()).toEqual([]);
    expect((await project.dure(['init', '--yes'])).stdout).toContain('dure import-orchestral');
  });

  it('cannot be imported before dure init', async () => {
    const { code, json } = await project.dureJson(['import-orchestral']);
    expect([code, json.ok, json.error?.code]).toEqual([2, false, 'E_NOT_A_PROJECT']);
    expect((await project.dure(['import-orchestral'])).stderr).toContain('dure init');
  });

  it('has its settings imported, and what cannot be converted is reported', async () => {
    const json = await imported();
    expect(json['config']).toEqual(['global', 'refiner', 'builder']);
    const notes = (json['notes'] as string[]).filter(note => note.includes('/config/'));
    expect(notes.map(note => note.split(' was ')[0]).sort()).toEqual([
      '.orchestral/config/builder.json: constraints.max_file_size_lines',
      '.orchestral/config/global.json: auto_retry.recoverable_errors.2',
      '.orchestral/config/global.json: theme',
    ]);
    const get = async (key: string) => (await project.dureJson(['config', 'get', key])).json['value'];
    expect(await get('refiner.delegation_keywords')).toEqual(['적당히', '알아서', '합리적으로']);
    expect(await get('global')).toMatchObject({
      max_iterations: 4,
      web_port: 3873,
      tmux_session_prefix: 'dure',
      timeouts: { builder: 900_000 },
      notifications: { terminal_bell: false },
      auto_retry: { recoverable_errors: ['crash', 'timeout'] },
    });
    expect(await get('builder')).toMatchObject({ model: 'opus', constraints: { max_file_size_lines: 500 } });
    expect((await project.dure(['config', 'check'])).code).toBe(0);
  });

  it('has its runs imported into the history as runs that are over and name their origin', async () => {
    const before = await imprint(join(project.root, '.orchestral'));
    const json = await imported();
    expect(await imprint(join(project.root, '.orchestral'))).toBe(before);

    const odd = (json['runs'] as string[])[0]!;
    expect(odd).toMatch(/^run-\d{8}-\d{6}$/);
    const runs = await historyOf();
    expect(Object.fromEntries(runs.map(run => [run.run_id, [run.phase, run.origin]]))).toEqual({
      [RUN]: ['completed', `.orchestral/runs/${RUN}`],
      'run-20240116-090000': ['stopped', '.orchestral/runs/run-20240116-090000'],
      'run-20240117-090000': ['failed', '.orchestral/runs/run-20240117-090000'],
      [odd]: ['stopped', '.orchestral/runs/run-1705500000000'],
    });
    expect(runs.find(run => run.run_id === RUN)?.briefing).toBe('로그인 API를 만들어 주세요');
    expect((await project.dure(['history'])).stdout).toContain('(imported)');
  });

  it('has its runs imported without invented values for data that was not recorded', async () => {
    await imported();
    const { json } = await project.dureJson(['status', RUN]);
    expect(json).toMatchObject({
      phase: 'completed',
      iteration: 2,
      started_at: '2024-01-15T14:30:22.000Z',
      updated_at: '2024-01-15T15:02:15.000Z',
      agents: { gatekeeper: { status: 'completed' }, verifier: { status: 'completed' } },
      verdict: { verdict: 'PASS', reason: 'All is well' },
      tests: null,
      mrp: null,
      driven: false,
      command: null,
      origin: { from: `.orchestral/runs/${RUN}`, phase: 'completed' },
    });
    const { stdout } = await project.dure(['status', RUN]);
    expect(stdout).toContain('cost unknown');
    expect(stdout).toContain(`Imported from .orchestral/runs/${RUN}`);
    expect((await project.dure(['status', 'run-20240116-090000'])).stdout).toContain(
      'Orchestral left it in phase build',
    );
    expect((await project.dure(['logs', RUN])).code).toBe(0);
    const events = await readEvents(runFiles(project.files.run(RUN)));
    const times = events.map(event => Date.parse(event.at));
    expect(times).toEqual(times.toSorted((a, b) => a - b));
  });

  it('has the original files of its runs copied, and any that are skipped are reported', async () => {
    const json = await imported();
    const files = runFiles(project.files.run(RUN));
    expect(await readFile(files.review, 'utf8')).toBe('Fine.\n');
    expect(await readFile(join(files.predecessor, 'events.log'), 'utf8')).toBe(EVENTS);
    expect(await readFile(join(files.predecessor, 'builder/output/src/app.ts'), 'utf8')).toBe('export {};\n');
    expect(await readlink(join(files.predecessor, 'builder/output/link'))).toBe('../../../../README.md');
    expect(json['notes']).toEqual(
      expect.arrayContaining([
        `.orchestral/runs/${RUN}/builder/output/node_modules: not copied`,
        `.orchestral/runs/${RUN}/pipe: not copied`,
        '.orchestral/runs/run-1705500000000/state.json: it is not JSON',
        expect.stringContaining('.orchestral/runs/run-20240117-090000/verdict.json: not JSON'),
      ]),
    );
    const [decision] = await readdir(project.files.decisions);
    expect(JSON.parse(await readFile(join(project.files.decisions, decision!), 'utf8'))).toMatchObject({
      decision: 'A: IP당 분당 60회',
      run_id: RUN,
    });
  });

  it('gets no driver for its imported runs', async () => {
    await imported();
    for (const args of [['stop'], ['recover'], ['answer'], ['review'], ['approve']]) {
      const { code, json } = await project.dureJson([...args, 'run-20240116-090000']);
      expect([args[0], code, json.ok]).toEqual([args[0], 4, false]);
    }
    expect((await project.dureJson(['recover', '--auto'])).json['recovered']).toEqual([]);
    expect((await project.dureJson(['wait', RUN, '--for', 'done'])).code).toBe(0);
  });

  it('is imported once; the next import adds only its new runs', async () => {
    await imported();
    expect(await imported()).toMatchObject({ runs: [], config: [] });
    await project.write('.orchestral/runs/run-20240201-000000/briefing/raw.md', 'Late\n');
    expect(await imported()).toMatchObject({ runs: ['run-20240201-000000'], config: [] });
    expect(await historyOf()).toHaveLength(5);
  });

  it("is imported without overwriting the user's existing Dure and plugin settings", async () => {
    await project.dure(['init', '--yes']);
    await project.dure(['config', 'set', 'builder.model', 'haiku']);
    await project.dure(['config', 'set', 'notify-webhook.url', 'https://example.com/hook']);
    await imported();
    expect((await project.dure(['config', 'get', 'builder.model'])).stdout).toBe('haiku\n');
    expect((await project.dure(['config', 'get', 'max_iterations'])).stdout).toBe('4\n');
    expect((await project.dure(['config', 'get', 'notify-webhook.url'])).stdout).toContain('example.com');
  });

  it('is imported completely by the next attempt after an interruption', async () => {
    await project.write(`.dure/runs/.bringing-${RUN}/briefing/raw.md`, 'torn');
    expect((await imported())['runs']).toHaveLength(4);
    expect((await readdir(project.files.runs)).filter(name => name.startsWith('.'))).toEqual([]);
    expect(await readFile(runFiles(project.files.run(RUN)).raw, 'utf8')).toContain('로그인');
  });
});

describe('imported settings', () => {
  it('keep custom values, even where defaults are dropped', () => {
    const values = { web_port: 8080, tmux_session_prefix: 'mine' };
    expect(validPart('global', values)).toEqual({ value: values, skipped: [] });
  });

  it('drop only the invalid values and keep the others', () => {
    expect(
      validPart('verifier', { test_coverage: { min_percentage: 'all', require_edge_cases: false }, x: 1 }),
    ).toEqual({
      value: { test_coverage: { require_edge_cases: false } },
      skipped: expect.arrayContaining(['x', 'test_coverage.min_percentage']),
    });
  });
});
