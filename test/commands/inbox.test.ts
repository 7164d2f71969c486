/** `dure inbox`, for a user with two projects. */
import { cp, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runFiles } from '../../src/formats/layout.ts';
import { inboxView } from '../../src/terminal/views/inbox-view.ts';
import { type TestProject, testProject } from '../helpers/test-project.ts';
import { ASKED, COMPLETED, FAILED, prepareRun, READY, STARTED } from './prepared-runs.ts';

const RUN = {
  longest: 'run-20260131-142201',
  ready: 'run-20260131-142202',
  asked: 'run-20260131-142203',
  interrupted: 'run-20260131-142204',
};
let first: TestProject;
let second: TestProject;

beforeAll(async () => {
  first = await testProject();
  second = await testProject();
  for (const project of [first, second]) {
    expect((await project.dure(['init', '--yes'])).code).toBe(0);
    expect((await project.dure(['config', 'set', 'workspace.setup', 'true'])).code).toBe(0);
  }
  // Both belong to one user.
  await cp(second.env['HOME']!, first.env['HOME']!, { recursive: true });
  await prepareRun(second, RUN.longest, ASKED);
  await prepareRun(second, 'run-20260131-142209', COMPLETED);
  await prepareRun(second, 'run-20260131-142208', FAILED);
  await prepareRun(second, RUN.ready, [...STARTED, ...READY]);
  await prepareRun(first, RUN.interrupted, STARTED);
  // It has been waiting for a shorter time, since a later event.
  await prepareRun(first, RUN.asked, [...STARTED, ...ASKED]);
});
afterAll(async () => {
  await first?.remove();
  await second?.remove();
});

/** The user of the tests may have other projects in /var/tmp. */
const inbox = async () => {
  const { code, json } = await first.dureJson(['inbox']);
  expect(code).toBe(0);
  const roots = [first.root, second.root];
  return (json['waiting'] as { project: string }[]).filter(({ project }) => roots.includes(project));
};

it('dure inbox lists the questions, packs and interrupted runs of all projects, starting with the longest wait', async () => {
  const elsewhere = `--project '${second.root.replaceAll("'", `'\\''`)}'`;
  expect(await inbox()).toMatchObject([
    {
      project: second.root,
      run_id: RUN.longest,
      waits_for: 'answer',
      question: { question: 'Which database?', recommendation: 'sqlite' },
      command: `dure answer ${RUN.longest} --decision sqlite ${elsewhere}`,
    },
    { run_id: RUN.asked, project: first.root, command: `dure answer ${RUN.asked} --decision sqlite` },
    { run_id: RUN.ready, waits_for: 'approval', command: `dure review ${RUN.ready} ${elsewhere}` },
    { run_id: RUN.interrupted, waits_for: 'recovery', command: `dure recover ${RUN.interrupted}` },
  ]);
});

it('dure inbox shows each question with its recommendation, and works outside a project', async () => {
  const { code, stdout } = await first.dure(['inbox'], { cwd: first.parentFolder });
  expect(code).toBe(0);
  expect(stdout).toMatch(/^\d+ questions\n\n {2}Which database\?\n/);
  expect(stdout).toContain('recommended: SQLite');
  expect(stdout).toContain(`dure recover ${RUN.interrupted} --project`);
});

it('dure inbox writes nothing into a project', async () => {
  const files = async () => {
    const names = (await readdir(second.files.dure, { recursive: true })).sort();
    return Promise.all(names.map(async name => [name, (await stat(join(second.files.dure, name))).mtimeMs]));
  };
  const before = await files();
  await first.dureJson(['inbox']);
  expect(await files()).toEqual(before);
});

it('dure inbox reports what it cannot read, and suggests what to try', async () => {
  const damaged = 'run-20260131-142205';
  await prepareRun(second, damaged, STARTED);
  await rm(runFiles(second.files.run(damaged)).state);
  await writeFile(runFiles(second.files.run(damaged)).events, 'not an event\n');
  const elsewhere = `--project '${second.root.replaceAll("'", `'\\''`)}'`;
  const { code, json } = await first.dureJson(['inbox']);
  expect(code).toBe(0);
  expect(json['unreadable']).toContainEqual({
    project: second.root,
    run_id: damaged,
    problem: expect.stringMatching(/events\.log was changed or damaged: line 1/),
    suggestions: [expect.stringContaining(`\`dure recover ${damaged} ${elsewhere}\``)],
  });
  const { stdout } = await first.dure(['inbox']);
  expect(stdout).toMatch(/^\d+ unreadable$/m);
  expect(stdout).toContain(`dure recover ${damaged} --project`);
  const korean = await first.dure(['inbox'], { env: { DURE_LANG: 'ko' } });
  expect(korean.stdout).toMatch(/^읽을 수 없는 실행 \d+건$/m);

  await rm(runFiles(second.files.run(damaged)).dir, { recursive: true });
  await rename(second.files.runs, `${second.files.runs}-kept`);
  await writeFile(second.files.runs, 'a file in place of the folder');
  try {
    expect((await first.dureJson(['inbox'])).json['unreadable']).toContainEqual(
      expect.objectContaining({
        project: second.root,
        run_id: null,
        problem: expect.stringContaining('.dure/runs cannot be read'),
      }),
    );
  } finally {
    await rm(second.files.runs);
    await rename(`${second.files.runs}-kept`, second.files.runs);
  }
});

it('dure inbox leaves out a project that no longer exists, and says when nothing is waiting', async () => {
  await rm(second.root, { recursive: true });
  expect(await inbox()).toHaveLength(2);
  await rm(first.files.runs, { recursive: true });
  expect(await inbox()).toEqual([]);
  expect(inboxView({ waiting: [], unreadable: [] }, Date.now(), 80)).toBe('Nothing is waiting for you.');
});
