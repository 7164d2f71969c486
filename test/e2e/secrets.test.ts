/** Secrets that agents, set-up and tests print are hidden in all that Dure stores, and in no argument of a process. */
import { readdirSync, readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { rehearsal } from '../../src/agents/backends/rehearsal.ts';
import { git } from '../helpers/git-repositories.ts';
import { builds, cassette, config, flag, rules } from './agent-moves.ts';
import { scratchProject } from './scratch-project.ts';

const TOKEN = `ghp_${'aB3dE5gH7j'.repeat(4).slice(0, 36)}`;
const KEY = 'k-4f7d-9a1c-77';

/** Collects the arguments of all processes until the test ends. */
function watchArguments(): Set<string> {
  const seen = new Set<string>();
  const look = (): void => {
    for (const pid of readdirSync('/proc').filter(name => /^\d+$/.test(name)))
      try {
        seen.add(readFileSync(`/proc/${pid}/cmdline`, 'utf8'));
      } catch {
        // It has already exited.
      }
  };
  const timer = setInterval(look, 50);
  onTestFinished(() => clearInterval(timer));
  return seen;
}

test('secrets are hidden in logs, events, results and the summary; code is kept byte for byte', async () => {
  const code = `hello\n${TOKEN}\n`;
  const verifies = [
    {
      write: 'verifier/tests/greets.sh',
      text: 'echo TAP version 13; echo 1..1; cat builder/output/greeting.txt >&2; echo ok 1 - greets\n',
    },
    config('sh verifier/tests/greets.sh'),
    flag('verifier/tests-ready.flag'),
  ];
  const backend = { ...rehearsal, name: 'acme', passEnv: ['ACME_API_KEY'] };
  const plugin = { plugin: 'dure-acme', load: async () => ({ name: 'acme', backends: [backend] }) };
  const { start, root } = await scratchProject({ plugins: [plugin] });
  const run = await start(
    cassette({
      builder: [[{ say: `I use ${TOKEN} and ${KEY}.` }, { print: `raw ${TOKEN}\n` }, ...builds(code)]],
      'verifier:generate': [verifies],
      gatekeeper: [rules('PASS', { reason: `It contains ${TOKEN} and ${KEY}` })],
    }),
    { backend: 'acme', shell: { ...process.env, ACME_API_KEY: KEY } },
  );
  const processes = watchArguments();
  const told: string[] = [];
  const end = await run.drive(event => told.push(JSON.stringify(event)));
  expect(end.phase).toBe('ready_for_merge');

  const names = await readdir(run.files.dir, { recursive: true, withFileTypes: true });
  const texts = await Promise.all(
    names
      .filter(entry => entry.isFile())
      .map(async ({ parentPath, name }) => {
        const path = join(parentPath, name);
        return { path: path.slice(run.files.dir.length + 1), text: await readFile(path, 'latin1') };
      }),
  );
  const withToken = texts.filter(({ text }) => text.includes(TOKEN)).map(({ path }) => path);
  expect(withToken.sort()).toEqual([
    'builder/output/greeting.txt',
    'gatekeeper/verdict.json',
    'mrp/changes.patch',
    'mrp/code/greeting.txt',
  ]);
  expect(texts.filter(({ text }) => text.includes(KEY)).map(({ path }) => path)).toEqual([
    'gatekeeper/verdict.json',
  ]);
  const hidden = texts.filter(({ text }) => text.includes('[secret: GitHub token]')).map(({ path }) => path);
  expect(hidden).toEqual(
    expect.arrayContaining([
      'events.log',
      'mrp/summary.md',
      'verifier/test-log.txt',
      'verifier/test-output.json',
    ]),
  );
  const log = texts.find(({ path }) => /^logs\/builder\.\d+\.jsonl$/.test(path) && hidden.includes(path));
  expect(log?.text).toContain('and [secret: ACME_API_KEY].');
  expect(told.join('\n')).toContain('[secret: GitHub token]');
  expect(told.join('\n')).not.toContain(TOKEN);
  expect(git(root, 'cat-file', 'blob', `${end.mrp!.commit}:greeting.txt`)).toBe(code.trim());

  expect(processes.size).toBeGreaterThan(10);
  const withSecret = [...processes].filter(line => line.includes(TOKEN) || line.includes(KEY));
  expect(withSecret).toEqual([]);
});
