import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { configFiles } from '../../src/formats/config/config.ts';
import type { Rules } from '../../src/formats/recorded-agent-rules.ts';
import { importsIn } from '../../src/workspace/rules/claude-md-imports.ts';
import { findRules } from '../../src/workspace/rules/find-rules.ts';
import { readRecordedRules } from '../../src/workspace/rules/read-recorded-rules.ts';
import { open, person, repositoryWith, write } from './temporary-projects.ts';

const NONE: Rules = { files: [], left_out: [] };

async function rulesOf(root: string, settings: object = {}): Promise<Rules> {
  const global = configFiles.global.shape.parse(settings);
  return (await findRules(await open(root), person(root, 'rev-parse', 'HEAD'), global)) ?? NONE;
}
const paths = ({ files }: Rules) => files.map(({ path }) => path);

async function committed(root: string, files: Record<string, string | Buffer>): Promise<void> {
  await write(root, files);
  person(root, 'add', '--all');
  person(root, 'commit', '--quiet', '-m', 'more');
}

describe("the team's rules", () => {
  test('are read from the commit: first those that apply to the working directory, then the others, each group from general to specific', async () => {
    const root = await repositoryWith({
      'AGENTS.md': 'root\n',
      'CLAUDE.md': 'claude\n',
      '.claude/rules/api/http.md': 'http\n',
      'packages/a/AGENTS.md': 'a\n',
      'packages/web/AGENTS.md': 'web\n',
      'packages/web/src/CLAUDE.md': 'src\n',
      'node_modules/x/AGENTS.md': 'a package\n',
      'docs/agents.md': 'no rule\n',
    });
    expect(paths(await rulesOf(root, { workspace: { directory: 'packages/web' } }))).toEqual([
      '.claude/rules/api/http.md',
      'AGENTS.md',
      'CLAUDE.md',
      'packages/web/AGENTS.md',
      'packages/a/AGENTS.md',
      'packages/web/src/CLAUDE.md',
    ]);
  });

  test('are not affected by edits in the working tree, and are quoted from git objects', async () => {
    const root = await repositoryWith({ 'AGENTS.md': 'as committed\n' });
    const before = await rulesOf(root);
    await write(root, { 'AGENTS.md': 'changed\n', 'CLAUDE.md': 'new\n' });
    expect(await rulesOf(root)).toEqual(before);
    expect(before.files[0]!.blob).toBe(person(root, 'rev-parse', 'HEAD:AGENTS.md'));
    expect(await readRecordedRules(await open(root), before)).toMatchObject([
      { text: 'as committed', length: 12 },
    ]);
  });

  test('include what CLAUDE.md imports, up to five levels deep, but nothing outside the repository and nothing named only in code', async () => {
    const chain = Object.fromEntries([1, 2, 3, 4, 5, 6].map(n => [`docs/${n}.md`, `${n} @${n + 1}.md\n`]));
    const root = await repositoryWith({
      ...chain,
      'CLAUDE.md':
        'See @docs/1.md, and @./README. Not @types/node, ada@example.org, `@code.md` or\n```\n@fence.md\n```\nor @~/mine.md or @../other/x.md or @/etc/passwd\n',
      'AGENTS.md': 'agents @code.md\n',
      README: 'readme\n',
      'code.md': 'code\n',
      'fence.md': 'fence\n',
    });
    const rules = await rulesOf(root);
    expect(paths(rules)).toEqual([
      'AGENTS.md',
      'CLAUDE.md',
      ...['docs/1.md', 'docs/2.md', 'docs/3.md', 'docs/4.md', 'docs/5.md'],
      'README',
    ]);
    expect(rules.files.map(file => file.imported_by)).toMatchObject({ 2: 'CLAUDE.md', 3: 'docs/1.md' });
    expect(rules.left_out).toEqual(
      ['~/mine.md', '../other/x.md', '/etc/passwd'].map(path => ({ path, why: 'outside' })),
    );
  });

  test('ignore circular imports', async () => {
    const root = await repositoryWith({ 'CLAUDE.md': 'a @b.md', 'b.md': 'b @CLAUDE.md @b.md' });
    expect(paths(await rulesOf(root))).toEqual(['CLAUDE.md', 'b.md']);
  });

  test('are quoted once if a copy or a link repeats them; other links are not followed', async () => {
    const root = await repositoryWith({ 'AGENTS.md': 'the same\n', 'a/CLAUDE.md': 'the same\n', x: 'x\n' });
    await symlink('AGENTS.md', join(root, 'CLAUDE.md'));
    await symlink('/etc/passwd', join(root, 'a/AGENTS.md'));
    await committed(root, {});
    expect(await rulesOf(root)).toMatchObject({
      files: [{ path: 'AGENTS.md' }],
      left_out: [{ path: 'a/AGENTS.md', why: 'link' }],
    });
    expect((await rulesOf(root)).files).toHaveLength(1);
  });

  test('are truncated at the size limit, and files beyond the limit are left out with a note', async () => {
    const root = await repositoryWith({
      'AGENTS.md': 'a'.repeat(50_000),
      'x/AGENTS.md': 'b'.repeat(30_000),
      'x/y/AGENTS.md': 'c',
      'z/AGENTS.md': 'd'.repeat(1_100_000),
    });
    await committed(root, { 'y/AGENTS.md': Buffer.from([0x61, 0, 0x62]) });
    const rules = await rulesOf(root);
    expect(rules.files).toMatchObject([
      { path: 'AGENTS.md', quoted: 40_000 },
      { path: 'x/AGENTS.md', quoted: 20_000 },
    ]);
    expect(rules.left_out).toEqual([
      { path: 'y/AGENTS.md', why: 'not-text' },
      { path: 'z/AGENTS.md', why: 'too-long' },
      { path: 'x/y/AGENTS.md', why: 'too-long' },
    ]);
    const [first] = await readRecordedRules(await open(root), rules);
    expect(first).toMatchObject({ text: 'a'.repeat(40_000), length: 50_000 });
  });

  test('can be added or disabled in the configuration', async () => {
    const root = await repositoryWith({ 'AGENTS.md': 'a\n', 'docs/style.md': 'style @x\n', x: 'x\n' });
    const add = ['docs/style.md', 'docs/gone.md'];
    expect(await rulesOf(root, { rules: { add } })).toMatchObject({
      files: [{ path: 'AGENTS.md' }, { path: 'docs/style.md' }],
      left_out: [{ path: 'docs/gone.md', why: 'missing' }],
    });
    expect(paths(await rulesOf(root, { rules: { read: false, add } }))).toEqual(['docs/style.md']);
    expect(await rulesOf(root, { rules: { read: false } })).toEqual(NONE);
    expect(() => configFiles.global.shape.parse({ rules: { add: ['../x.md'] } })).toThrow('inside');
  });
});

describe('skills and MCP servers', () => {
  const SERVERS = {
    db: { command: 'node', args: ['db.js'] },
    web: { type: 'http', url: 'https://a.example' },
  };
  const files = {
    '.mcp.json': JSON.stringify({ mcpServers: SERVERS }),
    '.claude/skills/deploy/SKILL.md': 'deploy\n',
    '.claude/skills/other/SKILL.md': 'other @docs.md\n',
    'docs.md': 'docs\n',
  };

  test('are read from the commit if the configuration lists them', async () => {
    const root = await repositoryWith(files);
    await write(root, { '.mcp.json': '{}', '.claude/skills/deploy/SKILL.md': 'changed\n' });
    expect(await rulesOf(root)).toEqual(NONE);
    expect(await rulesOf(root, { rules: { skills: ['other'] } })).toEqual({
      files: [expect.objectContaining({ path: '.claude/skills/other/SKILL.md' })],
      left_out: [],
    });
    const rules = await rulesOf(root, { rules: { skills: ['deploy'], mcp_servers: ['db'] } });
    expect(rules.mcp).toEqual({
      path: '.mcp.json',
      blob: person(root, 'rev-parse', 'HEAD:.mcp.json'),
      servers: { db: SERVERS.db },
    });
    expect(await readRecordedRules(await open(root), rules)).toMatchObject([{ text: 'deploy' }]);
  });

  test("are the project's, not the surrounding repository's", async () => {
    const root = await repositoryWith({
      ...files,
      'web/.mcp.json': JSON.stringify({ mcpServers: { db: { url: 'x' } } }),
    });
    const { rules } = configFiles.global.shape.parse({ rules: { mcp_servers: ['db'] } });
    const workspace = { setup: null, directory: '.', copy: [] };
    const repo = { ...(await open(root)), prefix: 'web/' };
    const found = await findRules(repo, person(root, 'rev-parse', 'HEAD'), { rules, workspace });
    expect(found?.mcp).toMatchObject({ path: 'web/.mcp.json', servers: { db: { url: 'x' } } });
  });

  test.each([
    [{ skills: ['gone'] }, { setting: 'rules.skills', name: 'gone', file: '.claude/skills/gone/SKILL.md' }],
    [{ mcp_servers: ['db', 'gone'] }, { setting: 'rules.mcp_servers', name: 'gone', file: '.mcp.json' }],
    [
      { mcp_servers: ['constructor'] },
      { setting: 'rules.mcp_servers', name: 'constructor', file: '.mcp.json' },
    ],
  ])('are rejected if the commit does not contain them: %j', async (rules, context) => {
    const root = await repositoryWith(files);
    await expect(rulesOf(root, { rules })).rejects.toMatchObject({ code: 'E_NOT_COMMITTED', context });
  });

  test('are rejected if their file is missing, a symlink or invalid', async () => {
    const of = (root: string) => rulesOf(root, { rules: { mcp_servers: ['db'] } });
    const root = await repositoryWith({ 'a.json': files['.mcp.json'] });
    await expect(of(root)).rejects.toMatchObject({ code: 'E_NOT_COMMITTED' });
    await symlink('a.json', join(root, '.mcp.json'));
    await committed(root, {});
    await expect(of(root)).rejects.toMatchObject({ code: 'E_NOT_COMMITTED' });
    for (const text of ['{', '{"mcpServers":[]}', '{"mcpServers":{"db":"node"}}']) {
      const broken = await repositoryWith({ '.mcp.json': text });
      await expect(of(broken)).rejects.toMatchObject({
        code: 'E_FILE_INVALID',
        context: { file: '.mcp.json' },
      });
    }
  });

  test('must have safe names', () => {
    const parse = (rules: object) => configFiles.global.shape.safeParse({ rules }).success;
    for (const name of ['../x', 'a/b', '.', 'a b', ''])
      expect([parse({ skills: [name] }), parse({ mcp_servers: [name] })]).toEqual([false, false]);
    expect(parse({ mcp_servers: ['dure'] })).toBe(false);
  });
});

test.each([
  ['@a.md', ['a.md']],
  ['see (@a.md)', []],
  ['see @a\\ b.md#part', ['a b.md']],
  ['`` `@a.md ``', []],
  ['~~~md\n@a.md\n~~~\n@b.md', ['b.md']],
  ['```\n@a.md', []],
  ['<!-- @a.md -->\n@b.md', ['b.md']],
])('importsIn finds the imports in %j', (text, found) => expect(importsIn(text)).toEqual(found));
