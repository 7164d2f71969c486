import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { findSandbox } from '../../src/process/sandbox/find-sandbox.ts';
import { npmRegistry } from '../helpers/registry/npm.ts';
import {
  bash,
  consultHuman,
  json,
  scriptedAgents,
  scriptWith,
  successfulBuilder,
  write,
} from './agent-scripts.ts';
import { claimsOf, createProject, eventsOf } from './claude-project.ts';
import { type MessagesApi, messagesApi } from './fake-messages-api.ts';

const found = await findSandbox(process.env);
const opened: Pick<MessagesApi, 'close'>[] = [];
afterEach(async () => {
  for (const api of opened.splice(0)) await api.close();
});

const APP = { name: 'app', version: '1.0.0', private: true, type: 'module' };
/** A project without dependencies. */
const FILES = {
  'package.json': JSON.stringify(APP),
  'package-lock.json': JSON.stringify({
    name: APP.name,
    version: APP.version,
    lockfileVersion: 3,
    requires: true,
    packages: { '': { name: APP.name, version: APP.version } },
  }),
  '.gitignore': 'node_modules\n',
};
const CODE =
  "import semver from 'semver';\n\nexport const newest = versions => semver.rsort([...versions])[0];\n";
const TEST = `import assert from 'node:assert/strict';
import test from 'node:test';
import semver from 'semver';
import { newest } from './newest.js';

test('the newest version', () => {
  const version = newest(['1.2.0', '1.10.0', '1.9.9']);
  assert.equal(version, '1.10.0');
  assert.ok(semver.valid(version));
});
`;

describe.skipIf(found.kind === 'none')(
  `Claude Code in a sandbox${found.kind === 'none' ? ` (skipped: ${found.why})` : ''}`,
  () => {
    test.each(['standard', 'strict'])(
      '%s: four agents take a briefing to a merge without asking for consent; one adds a dependency, which reaches the tests and the merge, and resumes its session after a question',
      async mode => {
        const registry = await npmRegistry();
        opened.push(registry);
        const api = await messagesApi(
          scriptedAgents({
            builder: (files, time) => [
              {
                say: 'I look.',
                use: [bash(`ls -A ${files.dir} ~ > ${join(files.builder, 'saw.txt')} 2>&1`)],
              },
              {
                say: 'I add a dependency.',
                use: [
                  bash(`npm install --registry ${registry.url} semver`),
                  write(join(files.worktree, 'newest.js'), CODE),
                ],
              },
              { say: 'I must ask.', use: [consultHuman] },
              ...successfulBuilder(files, time),
            ],
            generate: files =>
              scriptWith(
                write(join(files.tests, 'newest.test.js'), TEST),
                json(files.testConfig, {
                  test_framework: 'custom',
                  test_command: 'node --test newest.test.js',
                  test_directory: 'verifier/tests',
                  timeout_ms: 60_000,
                  coverage: false,
                }),
                write(files.testsReady, 'done'),
              ),
          }),
        );
        opened.push(api);
        const shell = { IS_SANDBOX: '', npm_config_registry: registry.url };
        const { start, dure, git } = await createProject(api, shell, FILES);
        expect((await dure('config', 'set', 'sandbox.mode', mode)).code).toBe(0);
        await dure('config', 'set', 'sandbox.allow', JSON.stringify([new URL(registry.url).host]));
        const asked = await start();
        expect(asked).toMatchObject({ code: 3, json: { phase: 'waiting_human', pending_crp: 'crp-001' } });
        expect((await dure('answer', '--decision', 'B', '--rationale', 'It is more polite.')).code).toBe(0);
        expect(await dure('wait', '--for', 'human')).toMatchObject({ json: { phase: 'ready_for_merge' } });
        const events = await eventsOf(asked.files);
        expect(events[0]).toMatchObject({ setup: { prepare: 'npm ci', sandbox: { mode } } });
        const exits = events.filter(e => e.type === 'agent.exited' && e.step === 'build');
        expect(exits).toHaveLength(2);
        expect(new Set(exits.map(e => e.type === 'agent.exited' && e.session)).size).toBe(1);
        const saw = await readFile(join(asked.files.builder, 'saw.txt'), 'utf8');
        expect(saw).not.toMatch(/state\.json|events\.log|sealed|gatekeeper/);
        expect(events.find(e => e.type === 'tests.executed')).toMatchObject({
          machine: 'pass',
          exit_code: 0,
          sandbox: 'bubblewrap',
          counts: { total: 1, passed: 1 },
        });
        // Once by the Builder, and again by Dure's set-up, which gets nothing from the sandbox of an agent.
        const downloads = registry.asked.filter(path => /^\/semver\/-\/.*\.tgz$/.test(path));
        expect(downloads.length).toBeGreaterThanOrEqual(2);
        expect(await claimsOf(asked.files)).toHaveLength(8);
        expect(await dure('approve')).toMatchObject({ code: 0, json: { phase: 'completed' } });
        const merged = (path: string) => git('show', `HEAD:${path}`);
        expect(JSON.parse(merged('package.json'))).toMatchObject({
          ...APP,
          dependencies: { semver: expect.any(String) },
        });
        expect(JSON.parse(merged('package-lock.json'))).toMatchObject({
          packages: { 'node_modules/semver': { resolved: `${registry.url}${downloads[0]}` } },
        });
        expect(`${merged('newest.js')}\n`).toBe(CODE);
        expect(git('ls-files')).toContain('greeting.txt');
      },
    );
  },
);
