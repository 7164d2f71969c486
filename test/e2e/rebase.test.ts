/** Whole runs whose branch moves while the pack waits: rebased, tested again, approved. */
import { existsSync } from 'node:fs';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { requestRebase } from '../../src/core/run/requests/request-rebase.ts';
import type { Move } from '../../src/formats/cassette.ts';
import type { EventOf, EventType } from '../../src/formats/events/events.ts';
import { evidenceFile } from '../../src/formats/evidence.ts';
import { runBranch } from '../../src/formats/layout.ts';
import { load } from '../../src/formats/read-and-write-files.ts';
import { git, writeFiles } from '../helpers/git-repositories.ts';
import { killDriver } from '../helpers/kill-driver.ts';
import { builds, cassette, config, flag, generates } from './agent-moves.ts';
import { driverUp, reached } from './driver-processes.ts';
import { type ScratchProject, scratchProject, type TestRun } from './scratch-project.ts';

const lines = (five: string): string => ['1', '2', '3', '4', five, '6', '7', '8', '9', ''].join('\n');
const FILES = { 'README.md': '# A project\n', 'src/main.txt': 'main\n', 'list.txt': lines('5') };

/** Greets, and changes the fifth line of list.txt. */
const greets: Move[] = [{ write: 'builder/output/list.txt', text: lines('five') }, ...builds('hello\n')];

async function commit(root: string, files: Record<string, string>, message = 'of a colleague') {
  await writeFiles(root, files);
  git(root, 'add', '--all');
  git(root, 'commit', '--quiet', '-m', message);
  return git(root, 'rev-parse', 'HEAD');
}

const rebases = async ({ project }: ScratchProject, run: TestRun, onto: string | null = null) => {
  await requestRebase({ project, files: run.files, state: await run.state() }, onto);
  return run.drive();
};

const all = async <T extends EventType>(run: TestRun, type: T) =>
  (await run.events()).filter((event): event is EventOf<T> => event.type === type);
const last = async <T extends EventType>(run: TestRun, type: T) => (await all(run, type)).at(-1)!;
const launched = async (run: TestRun, role: string) =>
  (await all(run, 'agent.started')).filter(({ agent }) => agent === role).length;

async function ready(there: ScratchProject, parts: Parameters<typeof cassette>[0] = {}): Promise<TestRun> {
  const run = await there.start(cassette({ builder: [greets], ...parts }));
  expect((await run.drive()).phase).toBe('ready_for_merge');
  return run;
}

test('a result whose branch moved twice, once with a conflict, is rebased and merged', async () => {
  const there = await scratchProject({ files: FILES });
  const { root } = there;
  const resolves: Move[] = [
    { sh: 'cat builder/output/list.txt builder/output/other.txt > builder/log.md' },
    { write: 'builder/output/list.txt', text: lines('five and FIVE') },
    flag('builder/done.flag'),
  ];
  const run = await ready(there, { builder: [greets, resolves] });

  const first = await commit(root, { 'other.txt': 'other\n' });
  expect((await run.approve()).phase).toBe('ready_for_merge');
  expect((await last(run, 'approval.refused')).reason).toContain(`\`dure rebase ${run.runId}\``);

  const once = await rebases(there, run);
  expect(once).toMatchObject({ phase: 'ready_for_merge', base: first, verdict: { verdict: 'PASS' } });
  expect(await last(run, 'run.rebased')).toMatchObject({ base: first, onto: 'main', same_patch: true });
  expect(await launched(run, 'gatekeeper')).toBe(1);
  expect((await all(run, 'tests.executed')).map(({ machine }) => machine)).toEqual(['pass', 'pass']);
  expect(await load(evidenceFile, run.files.evidence)).toMatchObject({ base: first, tree: once.mrp!.tree });
  expect(await readFile(run.files.summary, 'utf8')).toContain('Rebased onto `main`');
  expect(git(root, 'diff', '--name-only', first, once.mrp!.commit).split('\n')).toEqual([
    'greeting.txt',
    'list.txt',
  ]);

  const second = await commit(root, { 'list.txt': lines('FIVE') });
  const twice = await rebases(there, run);
  expect(twice).toMatchObject({ phase: 'ready_for_merge', base: second, iteration: 2, conflict: null });
  expect((await last(run, 'run.rebased')).conflicts).toEqual([{ path: 'list.txt', how: 'both-changed' }]);
  const prompt = await run.prompt('builder');
  expect(prompt).toContain('## The base has changed');
  expect(prompt).toMatch(
    /5: <<<<<<< HEAD\n6: FIVE\n7: \|{7} [^\n]+\n8: 5\n9: =======\n10: five\n11: >>>>>>> /,
  );
  // The worktree also contained the other changes of the result and of the new base.
  const seen = await readFile(join(run.files.dir, 'builder/log.md'), 'utf8');
  expect(seen).toContain('<<<<<<< HEAD');
  expect(seen).toContain('other\n');
  expect(await launched(run, 'gatekeeper')).toBe(2);

  const end = await run.approve();
  expect(end.phase).toBe('completed');
  expect(git(root, 'rev-parse', 'HEAD^')).toBe(second);
  expect(git(root, 'show', 'HEAD:list.txt')).toBe(lines('five and FIVE').trimEnd());
  expect(git(root, 'show', 'HEAD:greeting.txt')).toBe('hello');
  expect(git(root, 'status', '--porcelain', '--', ':!.dure')).toBe('');
});

test('a Builder that leaves conflict markers is told about them, and a result with them never passes', async () => {
  const there = await scratchProject({ files: FILES });
  const forgets: Move[] = [flag('builder/done.flag')];
  const run = await ready(there, { builder: [greets, forgets] });
  await commit(there.root, { 'list.txt': lines('FIVE') });
  expect((await rebases(there, run)).phase).toBe('waiting_human');
  expect((await last(run, 'agent.failed')).message).toContain('conflict markers are left in list.txt');
  expect(await all(run, 'mrp.created')).toHaveLength(1);
});

test('a result whose tests fail on the new base is not ready', async () => {
  const there = await scratchProject({ files: FILES });
  const needsMain: Move[] = [
    {
      write: 'verifier/tests/greets.sh',
      text: 'echo 1..1; if grep -q main src/main.txt && grep -q hello greeting.txt; then echo "ok 1 - greets"; else echo "not ok 1 - greets"; exit 1; fi\n',
    },
    config('sh verifier/tests/greets.sh'),
    flag('verifier/tests-ready.flag'),
  ];
  const run = await ready(there, { 'verifier:generate': [needsMain] });
  await commit(there.root, { 'src/main.txt': 'renamed\n' });
  const end = await rebases(there, run);
  expect(end.phase).not.toBe('ready_for_merge');
  expect(await last(run, 'run.rebased')).toMatchObject({ same_patch: true });
  expect((await all(run, 'tests.executed')).map(({ machine }) => machine).slice(0, 2)).toEqual([
    'pass',
    'fail',
  ]);
  expect((await all(run, 'verdict.given'))[1]).toMatchObject({ claimed: 'PASS', verdict: 'FAIL' });
});

test('the Gatekeeper judges again if the lines around a change differ on the new base', async () => {
  const there = await scratchProject({ files: FILES });
  const run = await ready(there);
  await commit(there.root, { 'list.txt': lines('5').replace('3', 'three') });
  expect((await rebases(there, run)).phase).toBe('ready_for_merge');
  expect(await last(run, 'run.rebased')).toMatchObject({ same_patch: false, conflicts: [] });
  expect(await launched(run, 'gatekeeper')).toBe(2);
  expect(git(there.root, 'show', `${(await run.state()).mrp!.commit}:list.txt`)).toContain('three\n4\nfive');
});

test('tests are written again if the new base has a file at the path of a sealed test', async () => {
  const there = await scratchProject({ files: FILES });
  const elsewhere = generates.map(move =>
    'write' in move && move.write === 'verifier/tests/greets.sh'
      ? {
          sh: 'rm -r verifier/tests; mkdir verifier/tests; printf "echo 1..1; echo ok 1 - a\\n" > verifier/tests/b.sh',
        }
      : move,
  );
  const renamed = elsewhere.map(move => ('json' in move ? config('sh verifier/tests/b.sh') : move));
  const run = await ready(there, { 'verifier:generate': [generates, renamed] });
  await commit(there.root, { 'greets.sh': 'exit 0\n' });
  expect((await rebases(there, run)).phase).toBe('ready_for_merge');
  expect((await last(run, 'run.rebased')).tests_problem).toContain('greets.sh is part of the result');
  expect(await launched(run, 'gatekeeper')).toBe(2);
});

test.each([
  ['branch', 'creates a branch with the rebased result'],
  ['pr', 'creates a pull request with the rebased result'],
] as const)('--how %s: %s on top of the new base', async (how, _) => {
  const there = await scratchProject({ files: FILES });
  const { root } = there;
  git(root, 'init', '--quiet', '--bare', join(root, '../origin.git'));
  git(root, 'remote', 'add', 'origin', join(root, '../origin.git'));
  git(root, 'push', '--quiet', 'origin', 'main');
  const run = await ready(there);
  const base = await commit(root, { 'other.txt': 'other\n' });
  await rebases(there, run);
  const end = await run.approve({ how });
  expect(end.phase).toBe('completed');
  const branch = runBranch(run.runId);
  expect(git(root, 'rev-parse', `${branch}^`)).toBe(base);
  expect(git(root, 'rev-parse', 'HEAD')).toBe(base);
  git(root, 'checkout', '--quiet', branch);
  expect(await readFile(join(root, 'greeting.txt'), 'utf8')).toBe('hello\n');
  if (how === 'pr')
    expect(git(join(root, '../origin.git'), 'rev-parse', branch)).toBe(git(root, 'rev-parse', branch));
});

test('an impossible rebase is refused and changes nothing', async () => {
  const there = await scratchProject({ files: FILES });
  const { root } = there;
  const run = await ready(there);
  const refused = (onto: string | null = null) => expect(rebases(there, run, onto)).rejects;
  await refused().toMatchObject({ code: 'E_REBASE_UNMOVED' });
  await refused('nowhere').toMatchObject({ code: 'E_BASE' });
  git(root, 'branch', '-m', 'main', 'trunk');
  await refused().toMatchObject({ code: 'E_REBASE_BRANCH' });
  git(root, 'branch', '-m', 'trunk', 'main');
  expect(existsSync(run.files.request('rebase'))).toBe(false);

  const { mrp } = await run.state();
  await commit(root, { 'greeting.txt': 'hello\n', 'list.txt': lines('five') });
  expect(await rebases(there, run)).toMatchObject({ phase: 'ready_for_merge', mrp });
  expect((await last(run, 'rebase.refused')).reason).toContain('main already has the changes');

  git(root, 'checkout', '--quiet', '--detach');
  const detached = await there.start(cassette({ builder: [builds('hello again\n')] }));
  await expect(rebases(there, detached)).rejects.toMatchObject({ code: 'E_NOT_READY' });
  await detached.drive();
  await expect(rebases(there, detached)).rejects.toMatchObject({ code: 'E_REBASE_DETACHED' });
});

test('after a rebase onto another branch, the result can be merged into that branch', async () => {
  const there = await scratchProject({ files: FILES });
  const { root } = there;
  const run = await ready(there);
  git(root, 'checkout', '--quiet', '-b', 'next');
  const tip = await commit(root, { 'other.txt': 'other\n' });
  await run.approve();
  expect((await last(run, 'approval.refused')).reason).toContain(`\`dure rebase ${run.runId} --onto next\``);
  await rebases(there, run, 'next');
  expect((await run.approve()).phase).toBe('completed');
  expect(git(root, 'rev-parse', 'next^')).toBe(tip);
});

test('uncommitted changes that a run began with are part of its new base too', async () => {
  const there = await scratchProject({ files: FILES });
  const { root } = there;
  await writeFiles(root, { 'src/main.txt': 'main, uncommitted\n' });
  const run = await there.start(cassette({ builder: [greets] }), { includeChanges: true });
  await run.drive();
  git(root, 'commit', '--quiet', '--allow-empty', '-m', 'empty');
  await writeFiles(root, { 'other.txt': 'other\n' });
  git(root, 'add', 'other.txt');
  git(root, 'commit', '--quiet', '-m', 'other', 'other.txt');
  const tip = git(root, 'rev-parse', 'HEAD');
  const state = await rebases(there, run);
  expect(state.phase).toBe('ready_for_merge');
  expect(git(root, 'show', `${state.base}:src/main.txt`)).toBe('main, uncommitted');
  expect((await run.approve()).phase).toBe('completed');
  expect(git(root, 'rev-parse', 'HEAD^')).toBe(tip);
  expect(git(root, 'show', 'HEAD:src/main.txt')).toBe('main, uncommitted');
});

test('in a folder without git, a result is rebased onto the files as they are', async () => {
  const there = await scratchProject({ files: FILES, git: false });
  const run = await ready(there);
  await writeFiles(there.root, { 'src/main.txt': 'edited\n' });
  await run.approve();
  expect((await last(run, 'approval.refused')).reason).toContain(`\`dure rebase ${run.runId}\``);
  expect((await rebases(there, run)).phase).toBe('ready_for_merge');
  expect((await run.approve()).phase).toBe('completed');
  expect(await readFile(join(there.root, 'src/main.txt'), 'utf8')).toBe('edited\n');
  expect(await readFile(join(there.root, 'greeting.txt'), 'utf8')).toBe('hello\n');
});

test('if the driver is killed during the rebase, the next one finishes it', async () => {
  const there = await scratchProject({ files: FILES });
  const run = await ready(there);
  const base = await commit(there.root, { 'other.txt': 'other\n' });
  const real = process.env['PATH']!.split(':').find(dir => existsSync(join(dir, 'git')))!;
  const shims = join(there.root, '../shims');
  const began = join(shims, 'began');
  await mkdir(shims);
  await writeFile(
    join(shims, 'git'),
    `#!/bin/sh\ncase " $* " in *" bundle create "*) [ -e ${began} ] || { touch ${began}; sleep 120; } ;; esac\nexec ${join(real, 'git')} "$@"\n`,
  );
  await chmod(join(shims, 'git'), 0o755);
  await requestRebase({ project: there.project, files: run.files, state: await run.state() }, null);
  vi.stubEnv('PATH', `${shims}:${process.env['PATH']}`);
  await driverUp(there, run);
  vi.unstubAllEnvs();
  while (!existsSync(began)) await pause(20);
  await killDriver(run.files);
  expect(await all(run, 'run.rebased')).toHaveLength(0);

  await driverUp(there, run);
  while ((await all(run, 'mrp.created')).length < 2) await pause(50);
  expect(await reached(run, 'ready_for_merge')).toMatchObject({ base, verdict: { verdict: 'PASS' } });
  await killDriver(run.files);
  expect(await all(run, 'run.rebased')).toHaveLength(1);
  expect((await run.approve()).phase).toBe('completed');
  expect(git(there.root, 'rev-parse', 'HEAD^')).toBe(base);
});
