import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { evidenceFile } from '../../src/formats/evidence.ts';
import { load } from '../../src/formats/read-and-write-files.ts';
import { scriptedAgents, successfulBuilder } from './agent-scripts.ts';
import { createProject } from './claude-project.ts';
import { messagesApi } from './fake-messages-api.ts';
import { mcpServer } from './mcp-server.ts';

const TOOL = 'mcp__words__greeting';

test('every agent gets the committed rules once, and the pack lists them; uncommitted changes are ignored', async () => {
  const script = scriptedAgents();
  const tasks = new Set<string>();
  const api = await messagesApi(task => {
    tasks.add(task);
    return script(task);
  });
  onTestFinished(() => api.close());
  const { root, git, start } = await createProject(api);
  const write = async (path: string, text: string) => {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  };
  const committed = {
    'AGENTS.md': 'root-rule: greet in lower case\n',
    'CLAUDE.md': 'claude-rule: be short. More in @docs/style.md\n',
    'docs/style.md': 'imported-rule: end with a newline\n',
    'packages/web/AGENTS.md': 'nested-rule: no colours\n',
    '.claude/rules/tests.md': 'folder-rule: test in sh\n',
  };
  for (const [path, text] of Object.entries(committed)) await write(path, text);
  git('add', '--all', '--', '.', ':!.dure');
  git('commit', '--quiet', '-m', 'rules');
  await write('AGENTS.md', 'uncommitted-rule: shout\n');
  await write('packages/api/CLAUDE.md', 'uncommitted-rule: shout\n');

  const ready = await start();
  expect(ready).toMatchObject({ code: 0, json: { phase: 'ready_for_merge' } });
  const titles = [...tasks].map(task => /^# (\w+):/m.exec(task)?.[1]);
  expect(titles).toEqual(['Refiner', 'Builder', 'Verifier', 'Verifier', 'Gatekeeper']);
  for (const task of tasks) {
    for (const rule of ['root', 'claude', 'imported', 'nested', 'folder'])
      expect(task.split(`${rule}-rule:`), `${rule} once`).toHaveLength(2);
    expect(task).toContain('`packages/web/AGENTS.md`, for `packages/web/`:');
    expect(task).toContain('`docs/style.md`, imported by `CLAUDE.md`:');
    expect(task).not.toContain('uncommitted-rule');
  }
  const { rules } = (await load(evidenceFile, ready.files.evidence))!;
  expect(rules!.left_out).toEqual([]);
  expect(Object.fromEntries(rules!.files.map(({ path, blob }) => [path, blob]))).toEqual(
    Object.fromEntries(Object.keys(committed).map(path => [path, git('rev-parse', `HEAD:${path}`)])),
  );
});

test('every agent gets the configured MCP servers and skills as committed, and no others; the pack names them', async () => {
  const offered = new Map<string, readonly string[]>();
  const script = scriptedAgents({
    builder: (files, time) => [
      { say: 'I look it up.', use: [{ name: TOOL, input: {} }] },
      ...successfulBuilder(files, time),
    ],
  });
  const heard: string[] = [];
  const api = await messagesApi(task => {
    const role = /^# (\w+):/m.exec(task)![1]!;
    offered.set(role, api.tools);
    heard.push(api.heard);
    expect(task).toContain('skill-rule: greet twice');
    expect(task).not.toContain('other-skill');
    return script(task);
  });
  onTestFinished(() => api.close());
  const { root, git, start, dure } = await createProject(api);
  const write = async (path: string, text: string) => {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  };
  const words = { command: 'node', args: ['tools/words.cjs'] };
  const other = { command: 'node', args: ['tools/words.cjs', 'other'] };
  await write('tools/words.cjs', mcpServer('greeting', 'hello from the server'));
  await write('.mcp.json', JSON.stringify({ mcpServers: { words, other } }));
  await write('.claude/skills/greet/SKILL.md', '---\nname: greet\n---\nskill-rule: greet twice\n');
  await write('.claude/skills/other/SKILL.md', 'other-skill\n');
  git('add', '--all', '--', '.', ':!.dure');
  git('commit', '--quiet', '-m', 'a server');
  await write('.mcp.json', JSON.stringify({ mcpServers: { words: { command: 'false' } } }));
  await dure('config', 'set', 'rules.mcp_servers', '["words"]');
  await dure('config', 'set', 'rules.skills', '["greet"]');

  const ready = await start();
  expect(ready).toMatchObject({ code: 0, json: { phase: 'ready_for_merge' } });
  expect([...offered.keys()]).toEqual(['Refiner', 'Builder', 'Verifier', 'Gatekeeper']);
  for (const tools of offered.values())
    expect(tools.filter(name => name.startsWith('mcp__'))).toEqual(['mcp__dure__consult_human', TOOL]);
  expect(heard.some(messages => messages.includes('hello from the server'))).toBe(true);
  const { rules } = (await load(evidenceFile, ready.files.evidence))!;
  expect(rules?.mcp).toEqual({
    path: '.mcp.json',
    blob: git('rev-parse', 'HEAD:.mcp.json'),
    servers: { words },
  });
  expect(rules?.files).toEqual([
    { path: '.claude/skills/greet/SKILL.md', blob: git('rev-parse', 'HEAD:.claude/skills/greet/SKILL.md') },
  ]);
});
