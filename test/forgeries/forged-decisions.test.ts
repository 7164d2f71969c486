/**
 * Decisions that a process of the same user makes in the user's name, without an agent sandbox. A file that it writes
 * has no proof and no effect. With the token of the server it can decide; what is merged is still what the pack
 * shows.
 */
import { execFileSync } from 'node:child_process';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { privateKeys } from '../../src/core/run/record/hmac-key.ts';
import { verifyRun } from '../../src/core/run/record/verify-integrity.ts';
import { requestApproval } from '../../src/core/run/requests/write-requests.ts';
import { readState } from '../../src/core/run/run-store.ts';
import { chainWith, FIRST_CHAIN, formatEvent } from '../../src/formats/events/event-log-lines.ts';
import { enEvent } from '../../src/words/en-events.ts';
import { asks, builds, cassette } from '../e2e/agent-moves.ts';
import { scratchProject, type TestRun } from '../e2e/scratch-project.ts';
import { served } from '../e2e/serve-processes.ts';
import { git } from '../helpers/git-repositories.ts';

/** The limit for a whole run, which normally takes a few seconds. */
const WAIT = { timeout: 300_000 };

/** Approves the newest pack with the token of the server, as any program of the user can. */
const APPROVE = `
const { readFileSync } = require('node:fs');
const [server, run, tree] = process.argv.slice(1);
const { url, token } = JSON.parse(readFileSync(server, 'utf8'));
fetch(url + '/api/runs/' + run + '/approve', {
  method: 'POST',
  headers: { authorization: 'Bearer ' + token, 'content-type': 'application/json' },
  body: JSON.stringify({ tree }),
}).then(response => process.exit(response.ok ? 0 : 1));
`;

test('g03b: a process approves through the web server with its token: passes', async () => {
  const project = await served(cassette());
  await project.serve();
  const start = ['start', 'Write greeting.txt', '--launcher', 'process', '--detach', '--no-browser'];
  const { json } = await project.dureJson(start);
  const id = String(json['run_id']);
  const files = project.run(id);
  const phase = async () => (await readState(files))?.phase;
  await expect.poll(phase, WAIT).toBe('ready_for_merge');
  const { tree } = (await readState(files))!.mrp!;
  const shown = await readFile(join(files.mrpCode, 'greeting.txt'), 'utf8');

  const server = join(project.root, '.dure/server/server.json');
  execFileSync(process.execPath, ['-e', APPROVE, server, id, tree]);
  await expect.poll(phase, WAIT).toBe('completed');
  expect((await project.git('rev-parse', 'HEAD^{tree}')).trim()).toBe(tree);
  expect(await readFile(join(project.root, 'greeting.txt'), 'utf8')).toBe(shown);
});

const forged = (crp_id = 'crp-001', id = 'vcr-001') => ({
  vcr_id: id,
  crp_id,
  created_at: new Date().toISOString(),
  decision: 'A',
  rationale: 'forged',
  applies_to_future: true,
});
const asking = () => cassette({ builder: [[asks('crp-001', 'builder'), { exit: 0 }], builds('hello\n')] });
const writes = (run: TestRun, file: string, content: object) =>
  execFileSync('sh', ['-c', 'mkdir -p "$(dirname "$0")" && cat > "$0"', file], {
    cwd: run.files.dir,
    input: JSON.stringify(content),
  });

test('g05: a process writes an answer after the question: held, and the person is told', async () => {
  const { start, project } = await scratchProject({ onTestFinished });
  const run = await start(asking());
  expect(await run.drive()).toMatchObject({ phase: 'waiting_human', pending_crp: 'crp-001' });
  writes(run, 'vcr/vcr-001.json', forged());
  expect(await run.drive()).toMatchObject({ phase: 'waiting_human', decisions: [] });
  const refused = (await run.events()).filter(event => event.type === 'decision.refused');
  expect(refused).toHaveLength(1);
  expect(enEvent(refused[0]!)).toBe(
    'Ignored vcr/vcr-001.json: it has no proof that a person made it. Use `dure answer` instead',
  );
  expect(await readdir(project.decisions).catch(() => [])).toEqual([]);

  await run.answer('A', 'because');
  const state = await run.drive();
  expect(state).toMatchObject({ phase: 'ready_for_merge', decisions: ['vcr-002'] });
  const summary = await readFile(run.files.summary, 'utf8');
  expect(summary).toContain('because');
  expect(summary).not.toContain('forged');
});

test("a person's decision counts only once, and only for its run and its question", async () => {
  const { root, start } = await scratchProject({ onTestFinished });
  const one = await start(asking());
  await one.drive();
  await one.answer('A', 'mine');
  const given = JSON.parse(await readFile(one.files.vcr('vcr-001'), 'utf8'));
  const other = await start(asking());
  await other.drive();
  writes(other, 'vcr/vcr-001.json', given);
  expect(await other.drive()).toMatchObject({ phase: 'waiting_human', decisions: [] });
  expect(await other.eventTypes('decision.refused')).toHaveLength(1);

  // An approval that was refused, and an approval of a later pack.
  const ready = await one.drive();
  expect(ready).toMatchObject({ phase: 'ready_for_merge', decisions: ['vcr-001'] });
  await writeFile(join(root, 'greeting.txt'), 'in the way\n');
  await requestApproval(one.files, ready, { how: 'merge' });
  const approval = JSON.parse(await readFile(one.files.request('approve'), 'utf8'));
  expect((await one.drive()).phase).toBe('ready_for_merge');
  await requestApproval(one.files, await one.state(), { how: 'merge' });
  expect((await one.drive()).phase).toBe('ready_for_merge');
  await rm(join(root, 'greeting.txt'));
  writes(one, 'requests/approve.json', approval);
  expect((await one.drive()).phase).toBe('ready_for_merge');
  const [copy] = (await one.events()).filter(event => event.type === 'decision.refused');
  expect(copy).toMatchObject({ file: 'requests/approve.json', problem: expect.stringContaining('a copy') });
});

test('an answer that applies to later runs is shown before the next run uses it', async () => {
  const { project, start } = await scratchProject({ onTestFinished });
  const one = await start(asking());
  await one.drive();
  await one.answer('A', 'always', true);
  expect((await one.drive()).phase).toBe('ready_for_merge');
  expect(await readdir(project.decisions)).toHaveLength(1);
  await expect(start(asking())).rejects.toMatchObject({
    code: 'E_COMMANDS_CHANGED',
    context: { commands: expect.stringMatching(/decisions\..*\.crp-001: .* A: .*always/) },
  });
  const next = await start(asking(), { acceptCommands: true });
  expect((await next.state()).setup.decisions).not.toEqual({});
  // Once it has been shown, Dure does not ask about it again.
  await start(asking());
});

test('the pack and the commit each name a line of the log, and verify detects a changed log and a changed answer', async () => {
  const { root, project, start } = await scratchProject({ onTestFinished });
  const run = await start(asking());
  await run.drive();
  await run.answer('A', 'because');
  await run.drive();
  expect((await run.approve()).phase).toBe('completed');
  const { log } = JSON.parse(await readFile(run.files.evidence, 'utf8'));
  const trailer = git(root, 'log', '-1', '--format=%(trailers:key=Dure-Log,valueonly)').trim();
  const lines = (await readFile(run.files.events, 'utf8')).split('\n');
  const end = (head: string) => ` seq=${head.split(' ')[0]} chain=${head.split(' ')[1]}`;
  const recorded = lines.findIndex(line => line.includes(' mrp.created '));
  expect(lines[recorded - 1]?.endsWith(end(log))).toBe(true);
  expect(lines[recorded]?.endsWith(end(trailer))).toBe(true);
  const faults = async () =>
    (await verifyRun(project, run.files)).checks.flatMap(({ check, fault }) =>
      fault === null ? [] : [check],
    );
  expect(await faults()).toEqual([]);

  const answer = JSON.parse(await readFile(run.files.vcr('vcr-001'), 'utf8'));
  await writeFile(run.files.vcr('vcr-001'), JSON.stringify({ ...answer, rationale: 'forged' }));
  expect(await faults()).toEqual(['decisions']);
  await rm(run.files.state);
  const [key] = privateKeys();
  let chain = FIRST_CHAIN;
  const other = (await run.events()).map((event, i) => {
    const changed = event.type === 'verdict.given' ? { ...event, reason: 'forged' } : event;
    const next = formatEvent(changed, i + 1, chain, chainWith(key!));
    chain = next.chain;
    return `${next.line}\n`;
  });
  await writeFile(run.files.events, other.join(''));
  expect(await faults()).toContain('log');
});
