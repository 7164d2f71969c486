import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import {
  configsWithoutCredentials,
  withoutCredentials,
} from '../../src/workspace/git/config-without-credentials.ts';

test('credentials are removed, and git reads the rest as before', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'dure-config-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'config');
  const git = (...args: string[]) =>
    execFileSync('git', ['config', '--file', file, ...args], { encoding: 'utf8' });
  await writeFile(file, '[core]\n\tbare = false\n');
  for (const [name, value] of [
    ['remote.origin.url', 'https://ann:s3cret@example.org/a.git'],
    ['remote.other.url', 'HTTPS://s3cret@example.org/b.git'],
    ['remote.ssh.url', 'git@example.org:c.git'],
    ['remote.url.url', 'ssh://ann:s3cret@example.org:22/d.git'],
    ['remote.user.url', 'git+ssh://git@example.org/e.git'],
    ['remote.ftp.url', 'ftps://ann:"s3cret@example.org/f.git'],
    ['credential.helper', "!f() { echo password='s3cret'; }; f"],
    ['credential.https://ann:s3cret@example.org.helper', 'store --file s3cret'],
    ['credential.username', 'ann'],
    ['url.https://x:s3cret@example.org/.insteadOf', 'example:'],
    ['http.https://example.org/.extraheader', 'Authorization: Basic s3cret'],
    ['http.proxy', 'http://ann:s3cret@proxy:3128'],
    ['sendemail.smtpPass', 's3cret'],
    ['user.name', 'Ann'],
  ])
    git(name!, value!);
  await writeFile(file, '[custom] token = s3cret \\\n more s3cret\n[user]\n\temail = a@b\n', { flag: 'a' });
  const text = withoutCredentials(execFileSync('cat', [file], { encoding: 'utf8' }));
  expect(text).not.toContain('s3cret');
  await writeFile(file, text);
  expect(git('--list').trim().split('\n')).toEqual([
    'core.bare=false',
    'remote.origin.url=https://example.org/a.git',
    'remote.other.url=HTTPS://example.org/b.git',
    'remote.ssh.url=git@example.org:c.git',
    'remote.url.url=ssh://ann@example.org:22/d.git',
    'remote.user.url=git+ssh://git@example.org/e.git',
    'remote.ftp.url=ftps://example.org/f.git',
    'credential.username=ann',
    'url.https://example.org/.insteadof=example:',
    'http.proxy=http://proxy:3128',
    'user.name=Ann',
    'user.email=a@b',
  ]);
  expect(withoutCredentials(text)).toBe(text);
});

test('files with credentials are found in worktrees and submodules too', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'dure-config-'));
  onTestFinished(() => void execFileSync('rm', ['-rf', folder]));
  const secret = '[remote "origin"]\n\turl = https://s3cret@example.org/\n';
  const files = [
    'config',
    'worktrees/w/config.worktree',
    'modules/a/b/config',
    'modules/a/b/modules/c/config',
  ];
  for (const path of [...files, 'modules/a/b/HEAD', 'modules/a/b/modules/c/HEAD', 'modules/plain/HEAD']) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), path.endsWith('HEAD') ? 'ref: x\n' : secret);
  }
  // In a path that is too long, not even root can read a folder.
  const deepen = `for (let i = 0; i < 30; i += 1) { fs.mkdirSync('n'.repeat(200)); process.chdir('n'.repeat(200)); }`;
  execFileSync(process.execPath, ['-e', deepen], { cwd: join(folder, 'modules') });
  const cleaned = await configsWithoutCredentials(folder);
  expect(Object.keys(cleaned).sort()).toEqual(files.map(path => join(folder, path)).sort());
  expect(Object.values(cleaned).join('')).not.toContain('s3cret');
});

test('files included by the git configuration are also found if they are in the git directory', async () => {
  const top = await mkdtemp(join(tmpdir(), 'dure-config-'));
  onTestFinished(() => rm(top, { recursive: true }));
  const folder = join(top, '.git');
  await mkdir(join(folder, 'more'), { recursive: true });
  const secret = '[http]\n\textraheader = s3cret\n';
  const files: Record<string, string> = {
    config: `[include]\n\tpath = more/one # comment\n[includeIf "gitdir:x"] path = "${join(folder, 'two')}"\n`,
    'more/one': `[include]\n\tpath = three\n\tpath = ../../outside\n${secret}`,
    'more/three': secret,
    two: secret,
    '../outside': secret,
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  expect(
    execFileSync(
      'git',
      ['config', '--file', join(folder, 'config'), '--includes', '--get-all', 'http.extraheader'],
      { encoding: 'utf8' },
    ),
  ).toContain('s3cret');
  const cleaned = await configsWithoutCredentials(folder);
  expect(Object.keys(cleaned).sort()).toEqual(
    ['more/one', 'more/three', 'two'].map(path => join(folder, path)),
  );
  expect(Object.values(cleaned).join('')).not.toContain('s3cret');
});
