import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { repositorySettingsChanges } from '../../src/core/run/effects/repository-settings-changes.ts';
import { requestApproval } from '../../src/core/run/requests/write-requests.ts';
import type { DureError } from '../../src/errors.ts';
import { repositoryOfRun } from '../../src/workspace/git/open-repository.ts';
import { builds, cassette, flag, generates } from '../e2e/agent-moves.ts';
import { scratchProject } from '../e2e/scratch-project.ts';
import { git } from '../helpers/git-repositories.ts';
import { REPOSITORY_FORGERIES } from './repository-forgeries.ts';

let home: string;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'dure-forgery-home-'));
  vi.stubEnv('HOME', home);
  vi.stubEnv('XDG_STATE_HOME', '');
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await rm(home, { recursive: true, force: true, maxRetries: 20 });
});

describe.concurrent('what is shown is what is merged', () => {
  test.for(REPOSITORY_FORGERIES)('$id: $what: $fate', async (forgery, { expect, onTestFinished }) => {
    const { root, project, start } = await scratchProject({
      onTestFinished,
      config: { global: { max_iterations: 1 } },
    });
    const script = (text?: string) => (text ? [{ sh: `ROOT="$(cd ../../.. && pwd)"; ${text}` }] : []);
    const run = await start(
      cassette({
        builder: [[...builds('hello\n').slice(0, -1), ...script(forgery.builder), flag('builder/done.flag')]],
        'verifier:generate': [
          [...generates.slice(0, -1), ...script(forgery.verifier), flag('verifier/tests-ready.flag')],
        ],
      }),
    );
    const ready = await run.drive();
    expect(ready.phase).toBe('ready_for_merge');
    if (typeof forgery.ready === 'string')
      execFileSync('sh', ['-ec', forgery.ready], {
        cwd: run.files.dir,
        env: { ...process.env, ROOT: root },
      });
    else await forgery.ready?.(run);
    if (forgery.approves) await run.drive();
    const approved = forgery.approves
      ? await run.drive()
      : await run.approve().catch(({ code }: DureError) => ({ phase: code }));
    if (forgery.approves && forgery.fate === 'held') {
      expect(approved.phase).toBe('ready_for_merge');
      expect(await run.eventTypes('decision.refused')).toHaveLength(1);
      expect(existsSync(join(root, 'greeting.txt'))).toBe(false);
      return;
    }
    if (['E_LOG_CORRUPT', 'E_KEY'].includes(approved.phase)) {
      expect(forgery.fate).toBe('held');
      expect(existsSync(join(root, 'greeting.txt'))).toBe(false);
      return;
    }
    if (approved.phase !== 'completed') {
      // Nothing was merged; now the user looks at what was said, and approves again.
      expect(existsSync(join(root, 'greeting.txt'))).toBe(false);
      const changes = await repositorySettingsChanges(
        await repositoryOfRun(project, { shadow: false }),
        project,
        run.files,
      );
      expect(changes === null ? 'held' : 'named').toBe(forgery.fate);
      if (changes) expect((await run.state()).reason).toContain(changes.names[0]);
      if (forgery.id === 'g18') return;
      const accepted = changes ? { accepted: changes.digest } : {};
      await requestApproval(run.files, await run.state(), { how: 'merge', ...accepted });
      await run.drive();
    } else expect(forgery.fate).not.toBe('named');

    const { phase, mrp } = await run.state();
    if (phase !== 'completed') return;
    const shown = await readFile(join(run.files.mrpCode, 'greeting.txt'), 'utf8');
    expect(shown).toBe('hello\n');
    expect(await readFile(join(root, 'greeting.txt'), 'utf8')).toBe(shown);
    const merged = git(root, '--no-replace-objects', 'rev-parse', 'main^{tree}');
    expect(merged).toBe(mrp!.tree);
    expect(existsSync(join(root, 'planted'))).toBe(false);
  });
});

test('g19: a set-up command that an agent changed is shown before the next run uses it', async () => {
  const { root, start } = await scratchProject();
  const run = await start(
    cassette({
      builder: [
        [
          { sh: `echo '{"workspace":{"setup":"touch planted"}}' > ../../config/global.json` },
          ...builds('hello\n'),
        ],
      ],
    }),
  );
  await run.drive();
  const refused = {
    code: 'E_COMMANDS_CHANGED',
    context: { commands: '  workspace.setup: touch planted' },
  };
  await expect(start(cassette())).rejects.toMatchObject(refused);
  await start(cassette(), { acceptCommands: true });
  // Once it has been shown, Dure does not ask about it again.
  await start(cassette());
  expect(existsSync(join(root, 'planted'))).toBe(false);
});

test('an MCP server that a result changed is shown before the next run starts it', async () => {
  const server = (command: string) => JSON.stringify({ mcpServers: { words: { command } } });
  const { root, start } = await scratchProject({ files: { '.mcp.json': server('true') } });
  const list = () => writeFile(join(root, '.dure/config/global.json'), '{"rules":{"mcp_servers":["words"]}}');
  await start(cassette());
  await list();
  const unseen = (command: string) => ({
    code: 'E_COMMANDS_CHANGED',
    context: { commands: `  rules.mcp_servers.words: {"command":"${command}"}` },
  });
  await expect(start(cassette()), 'listed for the first time').rejects.toMatchObject(unseen('true'));
  const run = await start(
    cassette({
      builder: [[{ write: 'builder/output/.mcp.json', text: server('false') }, ...builds('hello\n')]],
    }),
    { acceptCommands: true },
  );
  await run.drive();
  expect(await readFile(run.files.summary, 'utf8')).toContain('changes rules for agents: `.mcp.json`');
  await run.approve();
  await expect(start(cassette())).rejects.toMatchObject(unseen('false'));
  await start(cassette(), { acceptCommands: true });
  await start(cassette());
});
