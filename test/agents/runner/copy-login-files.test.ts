import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { copyLoginBack, copyLoginIn } from '../../../src/agents/runner/copy-login-files.ts';

const login = (accessToken: string, more: object = {}) =>
  JSON.stringify({ oauth: { accessToken, expiresAt: accessToken.length, plan: 'max', ...more } });

let folder: string;
let users: string;
let inHome: string;
let sandbox: Parameters<typeof copyLoginIn>[0];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dure-login-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  users = join(folder, 'users.json');
  inHome = join(folder, 'home', '.cli', 'login.json');
  sandbox = { folder, login: [{ from: users, to: '.cli/login.json' }], files: { '.cli/account.json': '{}' } };
  await mkdir(join(folder, 'home'));
  await writeFile(users, login('one'));
  await copyLoginIn(sandbox);
});

const text = (file: string) => readFile(file, 'utf8');

test("the login is copied into the agent's home, and a refreshed token is copied back", async () => {
  expect(await text(inHome)).toBe(login('one'));
  expect(await text(join(folder, 'home', '.cli', 'account.json'))).toBe('{}');
  await writeFile(inHome, login('second'));
  await copyLoginBack(sandbox);
  expect(await text(users)).toBe(login('second'));
});

test('a token that was refreshed before the runner was killed is not lost', async () => {
  await writeFile(inHome, login('second'));
  await copyLoginIn(sandbox);
  expect(await text(users)).toBe(login('second'));
  expect(await text(inHome)).toBe(login('second'));
});

test('a login that a person renewed during the launch is kept, and the next launch uses it', async () => {
  await writeFile(inHome, login('second'));
  await writeFile(users, login('newest'));
  await copyLoginBack(sandbox);
  expect(await text(users)).toBe(login('newest'));
  await copyLoginIn(sandbox);
  expect(await text(inHome)).toBe(login('newest'));
});

test.each([
  ['another account', login('two', { plan: 'free' })],
  ['another key', login('two', { hook: 'sh' })],
  ['text that is not JSON', 'token'],
  ['an empty file', ''],
])('%s is not copied back', async (_, now) => {
  await writeFile(inHome, now);
  await copyLoginBack(sandbox);
  expect(await text(users)).toBe(login('one'));
});

test("links in the agent's home are not followed", async () => {
  const elsewhere = join(folder, 'elsewhere');
  await mkdir(elsewhere);
  await writeFile(join(elsewhere, 'login.json'), login('stolen'));
  await rm(join(folder, 'home', '.cli'), { recursive: true });
  await symlink(elsewhere, join(folder, 'home', '.cli'));
  await copyLoginIn(sandbox);
  expect(await text(users)).toBe(login('one'));
  expect(await text(join(elsewhere, 'login.json'))).toBe(login('stolen'));
  expect(await text(inHome)).toBe(login('one'));
});
