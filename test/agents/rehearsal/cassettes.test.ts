import { spawnSync } from 'node:child_process';
import { cp, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { defaultCassette } from '../../../src/agents/rehearsal/cassettes/default.ts';
import { demoBriefing, demoCassette, demoProject } from '../../../src/agents/rehearsal/cassettes/demo.ts';
import { cassetteFile } from '../../../src/formats/cassette.ts';
import { clarificationsFile } from '../../../src/formats/clarifications.ts';
import { question } from '../../../src/formats/crp-and-vcr.ts';
import { readFormat } from '../../../src/formats/read-and-write-files.ts';
import type { FileFormat } from '../../../src/formats/schema/define-file.ts';
import { resultsFile, testConfigFile } from '../../../src/formats/test-config-and-results.ts';
import { verdictFile } from '../../../src/formats/verdict.ts';
import { makeStage } from './rehearsed-agent.ts';

type Stage = Awaited<ReturnType<typeof makeStage>>;

async function valid<S extends z.ZodType>(format: FileFormat<S>, file: string): Promise<z.infer<S>> {
  const read = await readFormat(format, file);
  if (read.is !== 'value') throw new Error(`${file} is ${read.is === 'invalid' ? read.problem : 'absent'}`);
  return read.value;
}

/** Runs the Verifier's tests as Dure does: in a copy of the two folders, with the command in test-config.json. */
async function prove({ files, project }: Stage, name: string) {
  const proof = join(project, name);
  await cp(files.worktree, proof, { recursive: true });
  await cp(files.tests, proof, { recursive: true });
  spawnSync('git', ['init', '--quiet', proof]);
  const { test_command } = await valid(testConfigFile, files.testConfig);
  const env = { PATH: process.env['PATH'], HOME: project };
  const { status, stdout } = spawnSync('sh', ['-c', test_command], { cwd: proof, env, encoding: 'utf8' });
  const count = (what: string) => Number(new RegExp(`^# ${what} (\\d+)$`, 'm').exec(stdout)?.[1]);
  return { status, tests: count('tests'), passed: count('pass'), failed: count('fail'), stdout };
}

test('the embedded cassettes are valid', () => {
  for (const cassette of [defaultCassette, demoCassette])
    expect(cassetteFile.shape.parse(cassette)).toEqual(cassette);
});

test('the default cassette plays a successful run in any project', async () => {
  const stage = await makeStage();
  const { rehearse, put, read, files } = stage;
  await put('briefing/raw.md', 'Do something "odd" with $(this).\n');
  const play = async (role: string, mode: string) => {
    const { code, told } = await rehearse({ role, mode });
    expect([code, told.filter(t => t.is_error)], `${role}:${mode}`).toEqual([0, []]);
  };
  await play('refiner', 'refine');
  expect(await read('briefing/refined.md')).toContain('Do something "odd" with $(this).');
  await valid(clarificationsFile, files.clarifications);
  await play('builder', 'build');
  expect(await read('builder/output/REHEARSAL.md')).toContain('no model was used');
  await play('verifier', 'generate');
  expect(await prove(stage, 'proof')).toMatchObject({ status: 0, tests: 3, passed: 3 });
  await put('verifier/test-output.json', '{}');
  await play('verifier', 'analyse');
  await valid(resultsFile, files.results);
  await play('gatekeeper', 'gate');
  expect(await valid(verdictFile, files.verdict)).toMatchObject({ verdict: 'PASS' });
  await play('critic', 'criticise');
  for (const flag of [
    'briefing/done',
    'builder/done',
    'verifier/tests-ready',
    'verifier/done',
    'gatekeeper/done',
    'critic/done',
  ])
    expect(await read(`${flag}.flag`)).toMatch(/^\d{4}-/);
});

test('the default cassette supports a Verifier that runs its own tests', async () => {
  const { rehearse, files, read } = await makeStage();
  await rehearse({ role: 'builder', mode: 'build' });
  const { told } = await rehearse({ role: 'verifier', mode: 'verify' });
  expect(told.filter(t => t.is_error)).toEqual([]);
  await valid(resultsFile, files.results);
  expect(await read('verifier/done.flag')).not.toBe('');
});

test('the demo has only short delays', () => {
  const ms = Object.values(demoCassette.parts)
    .flat(2)
    .reduce((sum, move) => sum + ('wait' in move ? move.wait : 0), 0);
  expect(ms).toBeLessThanOrEqual(3_000);
});

test('the sample project passes its own test', async () => {
  const { project } = await makeStage();
  await writeProject(project);
  const env = { PATH: process.env['PATH'], HOME: project };
  expect(spawnSync('node', ['--test', 'test/titles.test.js'], { cwd: project, env }).status).toBe(0);
  expect(demoBriefing).toContain('slugify');
});

async function writeProject(root: string): Promise<void> {
  for (const [path, text] of Object.entries(demoProject)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
}

describe.each([
  ['A', 'the recommendation', 'ascii'],
  ['B', 'every script', 'unicode'],
  ['OTHER', 'free text', 'ascii'],
])('the demo with the answer %s (%s)', (decision, _label, letters) => {
  test('contains a question, a real mistake that one test out of twelve finds, and a fix that passes', async () => {
    const stage = await makeStage();
    const { rehearse, start, put, read, files, deferred } = stage;
    await writeProject(files.worktree);
    await put('briefing/raw.md', demoBriefing);
    let spent = 0;
    const play = async (role: string, mode: string, part = 1) => {
      const { code, told, results } = await rehearse({ cassette: 'demo', role, mode, part });
      expect([code, told.filter(t => t.is_error)], `${role}:${mode}`).toEqual([0, []]);
      spent += results[0]!.total_cost_usd;
    };

    const refiner = start({ cassette: 'demo', role: 'refiner', mode: 'refine' });
    const [asked] = (await refiner.ended()).results;
    const crp = question.parse(asked!.deferred_tool_use.input);
    expect(crp.options.map(o => o.id)).toContain(crp.recommendation);
    await deferred(1, refiner.session);
    const vcr = {
      vcr_id: 'vcr-001',
      crp_id: 'crp-001',
      created_at: '2026-01-31T14:22:33Z',
      decision,
      rationale: 'It fits us.',
    };
    const answer = await put('vcr/vcr-001.json', JSON.stringify(vcr));
    await start({
      cassette: 'demo',
      role: 'refiner',
      mode: 'refine',
      launch: 2,
      resume: { session: refiner.session, answer },
    }).ended();
    expect(await read('briefing/refined.md')).toContain(`**${decision}: It fits us.**`);
    await valid(clarificationsFile, files.clarifications);

    await play('builder', 'build');
    expect(await read('builder/output/src/letters.js')).toContain(`LETTERS = '${letters}'`);
    await play('verifier', 'generate');
    const first = await prove(stage, 'proof-1');
    expect(first).toMatchObject({ status: 1, tests: 12, passed: 11, failed: 1 });
    expect(first.stdout).toMatch(/^not ok \d+ - AC-2: a cut leaves no hyphen at the end$/m);
    await play('verifier', 'analyse');
    expect(await valid(resultsFile, files.results)).toMatchObject({ total: 12, passed: 11, failed: 1 });
    await play('gatekeeper', 'gate');
    expect(await valid(verdictFile, files.verdict)).toMatchObject({
      verdict: 'MINOR_FAIL',
      issues: [expect.any(String)],
    });

    await play('builder', 'fix', 2);
    await play('verifier', 'generate', 2);
    expect(await prove(stage, 'proof-2')).toMatchObject({ status: 0, tests: 12, passed: 12 });
    await play('verifier', 'analyse', 2);
    expect(await valid(resultsFile, files.results)).toMatchObject({ total: 12, passed: 12, failed: 0 });
    await play('gatekeeper', 'gate', 2);
    expect(await valid(verdictFile, files.verdict)).toMatchObject({ verdict: 'PASS' });
    expect(spent).toBeGreaterThan(0.1);
  });
});

test('the tests of the demo still pass when the Builder builds again after feedback', async () => {
  const stage = await makeStage();
  await writeProject(stage.files.worktree);
  await stage.rehearse({ cassette: 'demo', role: 'builder', mode: 'build', part: 2 });
  await stage.rehearse({ cassette: 'demo', role: 'verifier', mode: 'generate', part: 3 });
  expect(await prove(stage, 'proof')).toMatchObject({ status: 0, tests: 12, passed: 12 });
});
