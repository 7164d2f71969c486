/**
 * Runs the user's hooks when a result is committed, in the user's working tree and environment. If a hook has changed
 * since the run began, the approval is refused, because an agent may have written the hook.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isExecutable } from '../../formats/file-system/path-status.ts';
import { withTemporaryFolder } from '../../formats/file-system/temporary-folder.ts';
import { plainText } from '../../formats/text/plain-text.ts';
import { commitInRepository } from '../git/build-trees-and-commits.ts';
import { changedHooks, type GitPrograms, gitPrograms, hooksFolder } from '../git/configured-programs.ts';
import { changedFiles } from '../git/diff-trees.ts';
import { git, type Repository, revParse, runGit, runHook, zJoin, zSplit } from '../git/run-git.ts';
import { affectedPaths, type MergeChange } from './paths-affected-by-merge.ts';
import { firstPaths } from './shortened-path-list.ts';

export interface CommitHooks {
  /** Runs `prepare-commit-msg` and `commit-msg`, and returns the resulting message. */
  message(text: string): Promise<string>;
  /**
   * Runs `pre-commit` once the files of the result are in the user's working tree. Throws if tracked files change while
   * it runs. Git cannot tell who changed them: files of the result are restored after their content has been
   * saved under `refs/dure/backup/`; all others are left as they are.
   */
  beforeCommit(change: MergeChange): Promise<void>;
  /** Runs `post-commit`. As in git, a failure has no effect. */
  afterCommit(): Promise<void>;
}

export interface HookPolicy {
  readonly hooks: 'run' | 'skip';
  /** The programs as they were when the run began. */
  readonly programs: GitPrograms;
}

interface CommittedRun extends HookPolicy {
  readonly runId: string;
  /** When the user approved, in ISO 8601. */
  readonly date: string;
}

const NAMES = ['pre-commit', 'prepare-commit-msg', 'commit-msg', 'post-commit'];
const NONE: CommitHooks = {
  message: async text => text,
  beforeCommit: async () => {},
  afterCommit: async () => {},
};

/** @param refusal creates an error from the reason for the refusal */
export async function commitHooks(
  repo: Repository,
  { hooks, programs, runId, date }: CommittedRun,
  refusal: (why: string) => Error,
): Promise<CommitHooks> {
  if (hooks === 'skip') return NONE;
  const now = await gitPrograms(repo);
  if (!NAMES.some(name => name in now.hooks || name in programs.hooks)) return NONE;
  const refuseChanged = (changed: readonly string[], why: string) => {
    if (changed.length > 0) throw refusal(`${why}: ${changed.slice(0, 10).join(', ')}. ${SKIP}`);
  };
  refuseChanged(changedHooks(programs, now), 'these git hooks have changed since the run began');
  const place = { repo, folder: hooksFolder(repo, now.settings) };
  return {
    message: text =>
      inTemporaryFolder(async dir => {
        const file = join(dir, 'COMMIT_EDITMSG');
        await writeFile(file, text);
        for (const hook of [
          ['prepare-commit-msg', file, 'message'],
          ['commit-msg', file],
        ] as const) {
          const failure = await failureOf(place, hook, {});
          if (failure !== null) throw refusal(`${failure}\n${SKIP}`);
        }
        const left = await git(repo, ['stripspace'], { input: await readFile(file, 'utf8') });
        if (left.trim() === '') throw refusal('your hook left an empty commit message.');
        return `${left}\n`;
      }),
    beforeCommit: change =>
      inTemporaryFolder(async dir => {
        const tree = change.to;
        refuseChanged(
          changedHooks(programs, await gitPrograms(repo)),
          'the result changes these git hooks, so they do not run on it',
        );
        const env = { GIT_INDEX_FILE: join(dir, 'index') };
        await git(repo, ['read-tree', tree], { env });
        const before = await differing(repo, env);
        const failure = await failureOf(place, ['pre-commit'], env);
        const staged = await changedFiles(repo, tree, await git(repo, ['write-tree'], { env }));
        await git(repo, ['read-tree', tree], { env });
        const written = (await differing(repo, env)).filter(path => !before.includes(path));
        if (failure === null && staged.length + written.length === 0) return;
        const ofResult = new Set(await affectedPaths(repo, change));
        const [inResult, others] = [
          written.filter(path => ofResult.has(path)),
          written.filter(path => !ofResult.has(path)),
        ];
        const kept = inResult.length > 0 && (await restored(repo, { runId, date, tree, env }, inResult));
        const changed = [...new Set([...staged, ...inResult])];
        const why = [
          failure ?? (changed.length > 0 && hookChanges(changed)),
          kept && `The content of ${firstPaths(inResult)} after the hook is saved in \`${kept}\`.`,
          others.length > 0 &&
            `These files changed while the hook ran and were left as they are: ${firstPaths(others)}. ` +
              'If you changed them, run `dure approve` again.',
        ];
        throw refusal([...why.filter(Boolean), SKIP].join('\n'));
      }),
    async afterCommit() {
      await run(place, ['post-commit'], {}).catch(() => {});
    },
  };
}

const hookChanges = (paths: readonly string[]): string =>
  `your pre-commit hook changes ${firstPaths(paths)}, and the tests have not run with these changes. ` +
  'Ask for this change with `dure reject --feedback`.';

/**
 * Saves the current files at these paths in a commit, then replaces them with those of `tree`. Git refuses if
 * a file changes in between. Returns the ref of the commit; earlier backups are its ancestors.
 */
async function restored(
  repo: Repository,
  { runId, date, tree, env }: Pick<CommittedRun, 'runId' | 'date'> & IndexOf,
  paths: readonly string[],
): Promise<string> {
  const ref = `refs/dure/backup/${runId}-pre-commit`;
  const add = ['add', '--all', '--force', '--pathspec-from-file=-', '--pathspec-file-nul'];
  await git(repo, add, { env: { ...env, GIT_LITERAL_PATHSPECS: '1' }, input: zJoin(paths) });
  const there = await git(repo, ['write-tree'], { env });
  const earlier = await revParse(repo, ref);
  const message = `Dure: after the pre-commit hook of ${runId}`;
  const parents = earlier ? [earlier] : [];
  const kept = await commitInRepository(repo, { tree: there, parents, message, date });
  await git(repo, ['update-ref', ref, kept, earlier ?? '']);
  await git(repo, ['read-tree', '-m', '-u', '--no-sparse-checkout', there, tree], { env });
  return ref;
}

interface IndexOf {
  /** Tree of the index that `env` names. */
  readonly tree: string;
  readonly env: Readonly<Record<string, string>>;
}

const SKIP = 'To approve without hooks: `dure approve --no-verify`.';

/** Returns the files that differ from the index. */
async function differing(repo: Repository, env: Readonly<Record<string, string>>): Promise<string[]> {
  await runGit(['update-index', '-q', '--refresh'], { cwd: repo.workTree, env });
  return zSplit(await git(repo, ['diff-files', '--name-only', '-z', '--ignore-submodules=dirty'], { env }));
}

interface HooksPlace {
  readonly repo: Repository;
  /** The folder with the user's hooks. */
  readonly folder: string;
}
/** The name of a hook, and its arguments. */
type Hook = readonly [name: string, ...args: string[]];

async function failureOf(
  place: HooksPlace,
  hook: Hook,
  env: Readonly<Record<string, string>>,
): Promise<string | null> {
  const { code, output } = await run(place, hook, env);
  return code === 0 ? null : `your ${hook[0]} hook failed:\n${lastLines(output)}`;
}

const lastLines = (output: string): string => plainText(output).trim().split('\n').slice(-20).join('\n');

async function run(
  { repo, folder }: HooksPlace,
  [name, ...args]: Hook,
  env: Readonly<Record<string, string>>,
): Promise<{ readonly code: number; readonly output: string }> {
  const file = join(folder, name);
  // Git also ignores a hook that is not executable.
  if (!(await isExecutable(file))) return { code: 0, output: '' };
  return inTemporaryFolder(async dir => {
    const output = join(dir, 'output');
    await writeFile(output, '');
    const { code, stderr } = await runHook(file, args, output, {
      cwd: repo.workTree,
      ...(repo.shell && { shell: repo.shell }),
      // As in `git commit` when it runs hooks without opening an editor; LC_ALL keeps the user's language.
      env: { GIT_EDITOR: ':', LC_ALL: (repo.shell ?? process.env)['LC_ALL'] ?? '', ...env },
    });
    return { code, output: `${await readFile(output, 'utf8')}${stderr}` };
  });
}

const inTemporaryFolder = <T>(work: (dir: string) => Promise<T>): Promise<T> =>
  withTemporaryFolder('dure-hooks-', work);
