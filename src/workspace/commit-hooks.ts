/**
 * Runs the user's hooks when a result is committed, in the user's checkout and environment. Only hooks that have not
 * changed since the run began are run: any other may have been written by an agent.
 */
import { access, constants, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { plainText } from '../formats/plain-text.ts';
import { temporaryFolder } from '../process/temporary-folder.ts';
import { changedFiles } from './diff.ts';
import { type GitAnswer, git, type Repository, runGit, runHook, zJoin, zSplit } from './git.ts';
import { changedHooks, type GitPrograms, gitPrograms, hooksFolder } from './git-programs.ts';

export interface CommitHooks {
  /** Runs `prepare-commit-msg` and `commit-msg`, and returns the resulting message. */
  message(text: string): Promise<string>;
  /**
   * Runs `pre-commit` once the files of `tree` are in the checkout. If the hook changes a file, the file is restored
   * and an error is thrown.
   */
  beforeCommit(tree: string): Promise<void>;
  /** Runs `post-commit`. As in git, a failure has no effect. */
  afterCommit(): Promise<void>;
}

export interface HookPolicy {
  readonly hooks: 'run' | 'skip';
  /** When the run began; null for runs of an earlier version. */
  readonly programs: GitPrograms | null;
}

const NAMES = ['pre-commit', 'prepare-commit-msg', 'commit-msg', 'post-commit'];
const NONE: CommitHooks = {
  message: async text => text,
  beforeCommit: async () => {},
  afterCommit: async () => {},
};

/** @param refusal makes the error for a reason */
export async function commitHooks(
  repo: Repository,
  { hooks, programs }: HookPolicy,
  refusal: (why: string) => Error,
): Promise<CommitHooks> {
  if (hooks === 'skip') return NONE;
  const now = await gitPrograms(repo);
  if (!NAMES.some(name => name in now.hooks || (programs && name in programs.hooks))) return NONE;
  if (!programs)
    throw refusal(
      `the run began with a version of Dure that did not record your git hooks, so they may have been changed since. ${SKIP}`,
    );
  const refuseChanged = (changed: readonly string[], why: string) => {
    if (changed.length > 0) throw refusal(`${why}: ${changed.slice(0, 10).join(', ')}. ${SKIP}`);
  };
  refuseChanged(changedHooks(programs, now), 'these git hooks have changed since the run began');
  const folder = hooksFolder(repo, now.settings);
  return {
    message: text =>
      inTemporaryFolder(async dir => {
        const file = join(dir, 'COMMIT_EDITMSG');
        await writeFile(file, text);
        await succeeded(repo, folder, 'prepare-commit-msg', [file, 'message'], {}, refusal);
        await succeeded(repo, folder, 'commit-msg', [file], {}, refusal);
        const left = await git(repo, ['stripspace'], { input: await readFile(file, 'utf8') });
        if (left.trim() === '') throw refusal('your hook left an empty commit message.');
        return `${left}\n`;
      }),
    beforeCommit: tree =>
      inTemporaryFolder(async dir => {
        refuseChanged(
          changedHooks(programs, await gitPrograms(repo)),
          'the result changes these git hooks, so they do not run on it',
        );
        const env = { GIT_INDEX_FILE: join(dir, 'index') };
        await git(repo, ['read-tree', tree], { env });
        const before = await differing(repo, env);
        const failed = await succeeded(repo, folder, 'pre-commit', [], env, refusal).catch(error => error);
        const staged = await changedFiles(repo, tree, await git(repo, ['write-tree'], { env }));
        await git(repo, ['read-tree', tree], { env });
        const written = (await differing(repo, env)).filter(path => !before.includes(path));
        await git(repo, ['checkout-index', '--force', '-z', '--stdin'], { env, input: zJoin(written) });
        if (failed) throw failed;
        const changed = [...new Set([...staged, ...written])];
        if (changed.length > 0)
          throw refusal(
            `your pre-commit hook changes ${changed.slice(0, 10).join(', ')}, and the tests did not run on that. ` +
              `Ask for this change with \`dure reject --feedback\`. ${SKIP}`,
          );
      }),
    async afterCommit() {
      await run(repo, folder, 'post-commit', [], {}).catch(() => {});
    },
  };
}

const SKIP = 'To approve without hooks: `dure approve --no-verify`.';

/** Files that differ from the index. */
async function differing(repo: Repository, env: Readonly<Record<string, string>>): Promise<string[]> {
  await runGit(['update-index', '-q', '--refresh'], { cwd: repo.workTree, env });
  return zSplit(await git(repo, ['diff-files', '--name-only', '-z', '--ignore-submodules=dirty'], { env }));
}

async function succeeded(
  repo: Repository,
  folder: string,
  name: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  refusal: (why: string) => Error,
): Promise<void> {
  const { code, stderr } = await run(repo, folder, name, args, env);
  if (code !== 0) throw refusal(`your ${name} hook failed:\n${lastLines(stderr)}\n${SKIP}`);
}

const lastLines = (output: string): string => plainText(output).trim().split('\n').slice(-20).join('\n');

async function run(
  repo: Repository,
  folder: string,
  name: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<GitAnswer> {
  const file = join(folder, name);
  if (!(await isExecutable(file))) return NO_HOOK;
  return runHook(file, args, {
    cwd: repo.workTree,
    ...(repo.shell && { shell: repo.shell }),
    // As `git commit` calls hooks when it opens no editor, in the language of the user.
    env: { GIT_EDITOR: ':', LC_ALL: (repo.shell ?? process.env)['LC_ALL'] ?? '', ...env },
  });
}

const NO_HOOK: GitAnswer = { code: 0, stdout: Buffer.alloc(0), stderr: '' };

/** Git ignores hooks that are not executable. */
const isExecutable = (file: string): Promise<boolean> =>
  access(file, constants.X_OK).then(
    () => true,
    () => false,
  );

async function inTemporaryFolder<T>(work: (dir: string) => Promise<T>): Promise<T> {
  const dir = await temporaryFolder('dure-hooks-');
  try {
    return await work(dir);
  } finally {
    await rm(dir, { recursive: true, force: true, maxRetries: 20 });
  }
}
