/** Other pipelines: fewer steps, only plugin roles, and steps that yield a tree after the build. */
import { existsSync, writeFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import documenter from '../../examples/role-documenter/index.js';
import { git } from '../helpers/git-repositories.ts';
import { authors, ownCassette, ownRoles, referees } from '../helpers/own-roles-plugin.ts';
import { cassette, flag, rules } from './agent-moves.ts';
import { scratchProject } from './scratch-project.ts';

const OWN = [{ plugin: 'dure-workshop', load: async () => ownRoles }];

test('the quick pipeline builds the briefing as written, and the run ends in a merge', async () => {
  const { start, root } = await scratchProject();
  const run = await start(cassette(), { pipeline: 'quick' });
  const ready = await run.drive();
  expect(ready).toMatchObject({ phase: 'ready_for_merge', setup: { pipeline_name: 'quick' } });
  expect(await run.eventTypes('agent.completed', 'tests.executed', 'verdict.given')).toEqual([
    ...['agent.completed build', 'agent.completed generate', 'tests.executed'],
    ...['agent.completed gate', 'verdict.given'],
  ]);
  expect(await readFile(run.files.refined, 'utf8')).toBe('Write greeting.txt that greets.\n');
  expect(await run.prompt('builder')).not.toContain('clarifications.json');
  expect((await run.approve()).phase).toBe('completed');
  expect(git(root, 'show', 'HEAD:greeting.txt')).toBe('hello');
});

test("a pipeline with only a plugin's roles takes a run to a merge, through a FAIL and a MINOR_FAIL", async () => {
  const { start, root } = await scratchProject({ plugins: OWN });
  const tape = ownCassette({
    author: [authors('hello\n'), authors('hello you\n')],
    'author:fix': [authors('hello world\n')],
    referee: [referees('FAIL'), referees('MINOR_FAIL', { issues: ['greet the world'] }), referees('PASS')],
  });
  const run = await start(tape, { pipeline: 'workshop' });
  const ready = await run.drive();
  expect(ready).toMatchObject({ phase: 'ready_for_merge', iteration: 2, minor_fixes: 1 });
  expect(Object.keys(ready.agents)).toEqual(['author', 'prover', 'referee']);
  const evidence = JSON.parse(await readFile(run.files.evidence, 'utf8'));
  expect(evidence).toMatchObject({
    test_machine: 'pass',
    verdict: 'PASS',
    test_author: 'prover (rehearsal)',
    logs: { author: 'author/log.md', prover: 'prover/log.md', referee: 'referee/log.md' },
  });
  expect(await readFile(run.files.summary, 'utf8')).toContain('What the Author says about its decisions:');
  expect(existsSync(join(run.files.mrpTests, 'greets.sh'))).toBe(true);
  expect((await run.approve()).phase).toBe('completed');
  expect(git(root, 'show', 'HEAD:greeting.txt')).toBe('hello world');
});

test('a PASS without tests leads to a question, and the pack says that the result was accepted without proof', async () => {
  const { start } = await scratchProject({ plugins: OWN });
  const run = await start(ownCassette(), { pipeline: 'untested' });
  const asked = await run.drive();
  expect(asked).toMatchObject({
    phase: 'waiting_human',
    waiting: { why: 'unproven' },
    verdict: { verdict: 'NEEDS_HUMAN', claimed: 'PASS' },
  });
  await run.answer('accept');
  expect((await run.drive()).phase).toBe('ready_for_merge');
  expect(await readFile(run.files.summary, 'utf8')).toContain('accepted without proof');
});

test('a FAIL without proof leads back to the step that yields the tree', async () => {
  const { start } = await scratchProject({ plugins: OWN });
  const tape = ownCassette({
    author: [authors('hello\n'), authors('hello you\n')],
    referee: [referees('FAIL'), referees('PASS')],
  });
  const run = await start(tape, { pipeline: 'untested' });
  expect(await run.drive()).toMatchObject({ phase: 'waiting_human', iteration: 2 });
});

test('a pipeline without a verdict ends with a question', async () => {
  const { start } = await scratchProject({ plugins: OWN });
  const run = await start(ownCassette(), { pipeline: 'unjudged' });
  expect(await run.drive()).toMatchObject({
    phase: 'waiting_human',
    waiting: { why: 'unproven' },
    tests: { machine: 'pass' },
  });
  await run.answer('accept');
  expect((await run.drive()).phase).toBe('ready_for_merge');
  expect(await readFile(run.files.summary, 'utf8')).toContain('accepted without a verdict');
});

const documents = (text: string) => [
  { write: 'builder/output/GUIDE.md', text },
  { write: 'documenter/log.md', text: 'Documented it.\n' },
  flag('documenter/done.flag'),
];

test("a documenter's edits are sealed, tested and merged like the Builder's", async () => {
  const { start, root } = await scratchProject({
    plugins: [{ plugin: 'dure-role-documenter', load: documenter }],
  });
  const { title, parts } = cassette({ gatekeeper: [rules('FAIL'), rules('PASS')] });
  const run = await start({
    title,
    parts: {
      ...parts,
      builder: [
        parts['builder']![0]!,
        [{ write: 'builder/output/more.txt', text: 'more\n' }, flag('builder/done.flag')],
      ],
      documenter: [documents('Say hello.\n'), documents('Say hello again.\n')],
    },
  });
  const ready = await run.drive();
  expect(ready).toMatchObject({ phase: 'ready_for_merge', iteration: 2 });
  expect(ready.mrp).toMatchObject(ready.sealed['document']!);
  expect(ready.tests?.tree).toBe(ready.mrp?.tree);
  expect((await run.approve()).phase).toBe('completed');
  expect(git(root, 'show', 'HEAD:GUIDE.md')).toBe('Say hello again.');
  expect(git(root, 'show', 'HEAD:more.txt')).toBe('more');
});

test('a late edit by the Builder is not sealed as the work of the documenter', async () => {
  const { start } = await scratchProject({
    plugins: [{ plugin: 'dure-role-documenter', load: documenter }],
  });
  const { title, parts } = cassette();
  const edits = {
    sh: 'until [ -e builder/sealed ]; do sleep 0.1; done; sleep 0.5; echo late > builder/output/late.txt',
  };
  const run = await start({
    title,
    parts: {
      ...parts,
      builder: [[...parts['builder']![0]!, edits]],
      documenter: [[{ wait: 1500 }, ...documents('Say hello.\n')]],
    },
  });
  const ready = await run.drive(event => {
    if (event.type === 'agent.completed' && event.step === 'build')
      writeFileSync(join(run.files.builder, 'sealed'), '');
  });
  expect(ready.phase).toBe('ready_for_merge');
  expect((await readdir(run.files.mrpCode)).sort()).toEqual(['GUIDE.md', 'greeting.txt']);
  expect(await readFile(join(run.files.stray, '2', 'builder/output/late.txt'), 'utf8')).toBe('late\n');
});

test('a step that yields only files fails if it changes the worktree', async () => {
  const { start } = await scratchProject({ plugins: OWN });
  const meddling = [
    { write: 'builder/output/greeting.txt', text: 'hello from the referee\n' },
    ...referees('PASS'),
  ];
  const run = await start(ownCassette({ referee: [meddling, referees('PASS')] }), { pipeline: 'workshop' });
  expect((await run.drive()).phase).toBe('ready_for_merge');
  const failed = (await run.events()).find(event => event.type === 'agent.failed');
  expect(failed).toMatchObject({ agent: 'referee', kind: 'validation' });
});

test("a plugin's verdict can start the next iteration at a later step", async () => {
  const undocumented = {
    name: 'undocumented',
    verdicts: [
      {
        verdict: 'UNDOCUMENTED',
        when: 'only the documentation is missing',
        outcome: () => ({ next: 'rework', step: 'document' }) as const,
      },
    ],
  };
  const { start } = await scratchProject({
    plugins: [
      { plugin: 'dure-role-documenter', load: documenter },
      { plugin: 'dure-undocumented', load: async () => undocumented },
    ],
  });
  const { title, parts } = cassette({ gatekeeper: [rules('UNDOCUMENTED'), rules('PASS')] });
  const documented = [documents('Say hello.\n'), documents('Say hello, please.\n')];
  const run = await start({ title, parts: { ...parts, documenter: documented } });
  expect(await run.drive()).toMatchObject({ phase: 'ready_for_merge', iteration: 2 });
  expect(await run.eventTypes('agent.completed', 'tests.executed', 'iteration.started')).toEqual([
    ...['agent.completed refine', 'agent.completed build', 'agent.completed document'],
    ...['agent.completed generate', 'tests.executed', 'agent.completed analyse', 'agent.completed gate'],
    ...['iteration.started', 'agent.completed document'],
    ...['agent.completed generate', 'tests.executed', 'agent.completed analyse', 'agent.completed gate'],
  ]);
});

test('a role that replaces a built-in one takes its place in every pipeline', async () => {
  const smith = {
    name: 'smith',
    roles: [
      {
        name: 'smith',
        replaces: 'builder',
        steps: [{ name: 'build', yields: 'tree', outputs: [] }] as const,
        prompt: () => 'You are the Smith.',
      },
    ],
  };
  const { start, root } = await scratchProject({
    plugins: [{ plugin: 'dure-smith', load: async () => smith }],
  });
  const { title, parts } = cassette();
  const { builder, ...others } = parts;
  const forged = [{ write: 'builder/output/greeting.txt', text: 'hello\n' }, flag('smith/done.flag')];
  const run = await start({ title, parts: { ...others, smith: [forged] } }, { pipeline: 'quick' });
  const ready = await run.drive();
  expect(ready.phase).toBe('ready_for_merge');
  expect(Object.keys(ready.agents)).toEqual(['smith', 'verifier', 'gatekeeper']);
  expect((await run.approve()).phase).toBe('completed');
  expect(git(root, 'show', 'HEAD:greeting.txt')).toBe('hello');
});
