/** Real projects in temporary folders, and git as a user would run it on them. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import {
  chmod,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  realpath,
  rm,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, expect } from 'vitest';
import { projectFiles, runBranch, runFiles } from '../../src/formats/layout.ts';
import { openRepository } from '../../src/workspace/git/open-repository.ts';
import type { Repository } from '../../src/workspace/git/run-git.ts';
import type { ApprovedResult } from '../../src/workspace/merge/merge-sealed-result.ts';
import { sealRef, sealWorktree } from '../../src/workspace/seal/seal.ts';
import { addWorktree } from '../../src/workspace/worktree.ts';

export const DATE = '2026-01-31T14:22:33Z';
export const RUN = 'run-20260131-142233';

const made: string[] = [];
afterEach(async () => {
  for (const dir of made.splice(0)) await rm(dir, { recursive: true, force: true, maxRetries: 20 });
});

export async function folder(files: Record<string, string> = {}): Promise<string> {
  const dir = await realpath(await mkdtemp(join(tmpdir(), 'dure test $(touch pwned) "q\' ünï-')));
  made.push(dir);
  await write(dir, files);
  return dir;
}

export async function write(dir: string, files: Record<string, string | Buffer>): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(dir, path)), { recursive: true });
    await writeFile(join(dir, path), content);
  }
}

/** Writes a hook of git: a shell script. */
export async function hook(root: string, name: string, script: string, at = '.git/hooks'): Promise<void> {
  await write(root, { [`${at}/${name}`]: `#!/bin/sh\n${script}\n` });
  await chmod(join(root, at, name), 0o755);
}

/** What an approval writes to the index lock. */
export const lockContent = (run: string): string =>
  `Dure is merging ${run}. If Dure was killed, run \`dure approve ${run}\` again.\n`;

/** Runs git as the user would. */
export const person = (dir: string, ...args: string[]): string =>
  execFileSync('git', args, {
    cwd: dir,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'],
      HOME: dir,
      GIT_AUTHOR_NAME: 'Ada',
      GIT_AUTHOR_EMAIL: 'ada@example.org',
      GIT_COMMITTER_NAME: 'Ada',
      GIT_COMMITTER_EMAIL: 'ada@example.org',
    },
  }).replace(/\n$/, '');

/** Configures a git user for the repository. */
export function named(dir: string): void {
  person(dir, 'config', 'user.name', 'Ada');
  person(dir, 'config', 'user.email', 'ada@example.org');
}

export async function repositoryWith(files: Record<string, string>): Promise<string> {
  const dir = await folder({ '.dure/.gitignore': 'runs/\nshadow.git/\n', ...files });
  person(dir, 'init', '-q', '-b', 'main');
  named(dir);
  person(dir, 'add', '-A');
  person(dir, 'commit', '-q', '-m', 'first');
  return dir;
}

export const open = (root: string): Promise<Repository> => openRepository(root, projectFiles(root).shadow);
export const runDirOf = (root: string, run = RUN): string => projectFiles(root).run(run);
export const worktreeOf = (root: string, run = RUN): string => runFiles(runDirOf(root, run)).worktree;

/** A program that records when it is run, and copies its input to its output like a filter. */
export async function trap(): Promise<{ program: string; sprung: () => boolean }> {
  const dir = await mkdtemp(join(tmpdir(), 'dure-trap-'));
  made.push(dir);
  const program = join(dir, 'trap');
  await writeFile(program, `#!/bin/sh\ntouch ${dir}/sprung\n[ -t 0 ] || cat\n`, { mode: 0o755 });
  return { program, sprung: () => existsSync(join(dir, 'sprung')) };
}

/** Simulates a run: creates a worktree, changes files and seals it. */
export async function build(
  root: string,
  base: string,
  work: Record<string, string | Buffer | null>,
  run = RUN,
) {
  const repo = await open(root);
  const dir = worktreeOf(root, run);
  await addWorktree(repo, dir, runBranch(run), base);
  for (const [path, content] of Object.entries(work))
    if (content === null) await rm(join(dir, path), { recursive: true });
    else await write(dir, { [path]: content });
  return { repo, dir, ...(await seal(repo, root, base, run)) };
}

/** An approval, without hooks. */
export const approved = (
  root: string,
  sealed: { readonly commit: string; readonly base: string },
  more: Partial<ApprovedResult> = {},
): ApprovedResult => ({
  runId: RUN,
  commit: sealed.commit,
  base: sealed.base,
  branch: runBranch(RUN),
  worktree: worktreeOf(root),
  date: DATE,
  message: 'Add what was asked\n',
  summary: null,
  rebase: onto => `dure rebase ${RUN}${onto === null || onto === 'main' ? '' : ` --onto ${onto}`}`,
  hooks: 'run',
  programs: { hooks: {}, settings: {} },
  ...more,
});

export const seal = (repo: Repository, root: string, base: string, run = RUN) =>
  sealWorktree(
    repo,
    { runId: run, dir: worktreeOf(root, run), baseCommit: base },
    { parent: base, message: 'Add what was asked\n', ref: sealRef(run, 'build-1'), date: DATE },
  );

/**
 * Every file, link and folder below a folder, with contents, except paths that start with one of the prefixes in
 * `but`.
 */
export async function everyByte(
  dir: string,
  but: readonly string[] = ['.git/', '.dure/'],
): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  const visit = async (path: string): Promise<void> => {
    for (const name of (await readdir(join(dir, path))).sort()) {
      const at = path ? `${path}/${name}` : name;
      if (but.some(prefix => `${at}/`.startsWith(prefix))) continue;
      const stats = await lstat(join(dir, at));
      if (stats.isDirectory()) await visit(at);
      else if (stats.isSymbolicLink()) found[at] = `-> ${await readlink(join(dir, at))}`;
      else if (stats.isFile())
        found[at] = `${stats.mode & 0o111 ? 'x' : '-'} ${(await readFile(join(dir, at))).toString('latin1')}`;
      else found[at] = 'special';
    }
  };
  await visit('');
  return found;
}

export const filesIn = (dir: string, commit: string): string[] =>
  person(dir, '-c', 'core.quotePath=false', 'ls-tree', '-r', '--full-tree', '--name-only', commit)
    .split('\n')
    .filter(Boolean);

export async function withPath<T>(bin: string, work: () => Promise<T>): Promise<T> {
  const path = process.env['PATH'];
  process.env['PATH'] = `${bin}:${path}`;
  try {
    return await work();
  } finally {
    process.env['PATH'] = path;
  }
}

/**
 * Calls `work` with a git that is killed after the given number of calls. Returns false if `work` needed fewer calls.
 */
export async function cutShort(calls: number, work: () => Promise<unknown>): Promise<boolean> {
  const bin = await mkdtemp(join(tmpdir(), 'dure-bin-'));
  made.push(bin);
  const git = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
  const script = `#!/bin/sh\necho >> ${bin}/calls\n[ $(wc -l < ${bin}/calls) -gt ${calls} ] && kill -9 $$\nexec ${git} "$@"\n`;
  await writeFile(join(bin, 'git'), script, { mode: 0o755 });
  const failure = await withPath(bin, () =>
    work().then(
      () => null,
      (error: unknown) => error,
    ),
  );
  const killed = (await readFile(join(bin, 'calls'), 'utf8')).length > calls;
  expect(failure !== null, 'a git that was killed is noticed').toBe(killed);
  return killed;
}
