/**
 * Decisions that a process of the same user writes in the user's name. Without an agent sandbox they count; what is
 * merged is still what the pack shows.
 */
import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readState } from '../../src/core/run/run-store.ts';
import { asks, builds, cassette } from '../e2e/agent-moves.ts';
import { stage } from '../e2e/scratch-project.ts';
import { served, WAIT } from '../e2e/serve-processes.ts';

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

test('g05: a process writes an answer after the question: passes', async () => {
  const { start } = await stage({ onTestFinished });
  const play = await start(
    cassette({ builder: [[asks('crp-001', 'builder'), { exit: 0 }], builds('hello\n')] }),
  );
  expect(await play.drive()).toMatchObject({ phase: 'waiting_human', pending_crp: 'crp-001' });
  const answer = {
    vcr_id: 'vcr-001',
    crp_id: 'crp-001',
    created_at: new Date().toISOString(),
    decision: 'A',
    rationale: 'forged',
    applies_to_future: false,
  };
  execFileSync('sh', ['-c', 'mkdir -p vcr && cat > vcr/vcr-001.json'], {
    cwd: play.files.dir,
    input: JSON.stringify(answer),
  });
  const state = await play.drive();
  expect(state).toMatchObject({ phase: 'ready_for_merge', decisions: ['vcr-001'] });
  expect(await readFile(play.files.summary, 'utf8')).toContain('forged');
});
