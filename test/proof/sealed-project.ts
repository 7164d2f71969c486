/** Fixture: a project with a sealed result and sealed tests, as at the launch of a proof. */
import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { WorkspaceJob } from '../../src/formats/checkout-setup-in-job.ts';
import type { TestConfig } from '../../src/formats/test-config-and-results.ts';
import { type ProofOf, proveLaunch } from '../../src/proof/run-proof.ts';
import { newRepository, git as run, writeFiles } from '../helpers/git-repositories.ts';

type Files = Readonly<Record<string, string>>;

export interface Project {
  /** The user's working tree. */
  readonly root: string;
  readonly state: string;
  readonly runDir: string;
  readonly git: (...args: string[]) => string;
  /** Writes files into the user's working tree, without committing them. */
  write(files: Files): Promise<void>;
  /** A proof job for `result`, which is based on the user's last commit. */
  job(result: Files, tests: Files, command: string, more?: Partial<WorkspaceJob>): Promise<ProofOf>;
  prove(...of: Parameters<Project['job']>): ReturnType<typeof proveLaunch>;
}

export async function project(files: Files): Promise<Project> {
  const top = await realpath(await mkdtemp(join(tmpdir(), 'dure-sealed-')));
  onTestFinished(() => rm(top, { recursive: true, force: true, maxRetries: 20 }));
  const root = join(top, 'project');
  const state = join(top, 'state');
  const runDir = join(root, '.dure', 'runs', 'run-20260131-142233');
  await mkdir(join(runDir, 'verifier'), { recursive: true });
  await mkdir(state);
  await newRepository(root, { '.gitignore': '.dure/\nnode_modules/\n.venv/\n', ...files });

  /** Commits files on top of `parent` without touching the checkout. */
  const seal = async (parent: string | null, changes: Files): Promise<string> => {
    const aside = await mkdtemp(join(top, 'aside-'));
    const git = (...args: string[]) =>
      run(aside, `--git-dir=${join(root, '.git')}`, '--work-tree=.', ...args);
    process.env['GIT_INDEX_FILE'] = `${aside}.index`;
    try {
      if (parent !== null) git('read-tree', parent);
      await writeFiles(aside, changes);
      const paths = Object.keys(changes);
      if (paths.length > 0) git('add', '-f', '--', ...paths);
      const tree = git('write-tree');
      return git('commit-tree', tree, '-m', 'sealed', ...(parent ? ['-p', parent] : []));
    } finally {
      delete process.env['GIT_INDEX_FILE'];
    }
  };

  const job: Project['job'] = async (result, tests, test_command, more = {}) => {
    const commit = await seal('HEAD', result);
    const config: TestConfig = {
      test_framework: 'custom',
      test_command,
      // Agents write it this way, although reports are rarely there.
      test_directory: 'verifier/tests',
      timeout_ms: 60_000,
      coverage: false,
    };
    const verifier = await seal(null, {
      ...Object.fromEntries(Object.entries(tests).map(([path, text]) => [`tests/${path}`, text])),
      'test-config.json': JSON.stringify(config),
    });
    const gitDir = join(root, '.git');
    return {
      runDir,
      launch: 1,
      job: {
        config,
        base: run(root, 'rev-parse', 'HEAD'),
        commit,
        tree: run(root, 'rev-parse', `${commit}^{tree}`),
        tests_tree: run(root, 'rev-parse', `${verifier}^{tree}`),
        workspace: {
          project: root,
          repository: { gitDir, commonDir: gitDir, workTree: root, prefix: '', shadow: false },
          state,
          setup: null,
          directory: '.',
          copy: [],
          network: false,
          ...more,
        },
      },
      env: process.env,
      signal: new AbortController().signal,
    };
  };
  return {
    root,
    state,
    runDir,
    git: (...args) => run(root, ...args),
    write: some => writeFiles(root, some),
    job,
    prove: async (...of) => proveLaunch(await job(...of)),
  };
}
