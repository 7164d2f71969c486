/** Runs checks on a change in a small real repository, as a checks launch does. */
import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Check, CheckResult, ChecksOutput } from '../../../src/formats/check-results.ts';
import type { ChecksOf } from '../../../src/proof/checks/run-check-on-commit.ts';
import { runChecks } from '../../../src/proof/checks/run-checks.ts';
import { runAhead } from '../../../src/proof/checks/run-checks-ahead.ts';
import { commitFiles, type Files, git, newRepository } from '../../helpers/git-repositories.ts';

export type { Files };

type Checks = readonly (Partial<Check> & Pick<Check, 'command'>)[];

export interface Repository {
  /** A folder outside the project and the state folder. */
  readonly top: string;
  readonly state: string;
  check(
    change: Files,
    checks: Checks,
    env?: Readonly<Record<string, string>>,
  ): Promise<{ output: ChecksOutput; log: string }>;
  /** Runs the same checks as `check`, but ahead of time, as an agent's launch does. */
  ahead(change: Files, checks: Checks, env?: Readonly<Record<string, string>>): Promise<void>;
}

export async function repository(files: Files, setup: string | null = null): Promise<Repository> {
  const top = await realpath(await mkdtemp(join(tmpdir(), 'dure-checks-')));
  onTestFinished(() => rm(top, { recursive: true, force: true, maxRetries: 20 }));
  const [root, state] = [join(top, 'project'), join(top, 'state')];
  const runDir = join(root, '.dure', 'runs', 'run-20260131-142233');
  await mkdir(runDir, { recursive: true });
  await mkdir(state);
  const base = await newRepository(root, { '.gitignore': '.dure/\n', ...files });
  const treeOf = (commit: string) => git(root, 'rev-parse', `${commit}^{tree}`);
  const gitDir = join(root, '.git');
  const job = async (change: Files, checks: Checks, env = {}): Promise<ChecksOf> => {
    git(root, 'reset', '-q', '--hard', base);
    const commit = await commitFiles(root, change);
    return {
      runDir,
      launch: 1,
      version: '0.1.0',
      env: { ...process.env, ...env },
      signal: new AbortController().signal,
      echo: () => {},
      job: {
        checks: checks.map((check, n) => ({ name: `check-${n + 1}`, timeout_ms: 60_000, ...check })),
        commit,
        tree: treeOf(commit),
        base,
        base_tree: treeOf(base),
        workspace: {
          project: root,
          repository: { gitDir, commonDir: gitDir, workTree: root, prefix: '', shadow: false },
          state,
          setup,
          directory: '.',
          copy: [],
          network: false,
        },
      },
    };
  };
  return {
    top,
    state,
    check: async (...of) => runChecks(await job(...of)),
    ahead: async (...of) => runAhead(await job(...of)),
  };
}

/** Summarizes a check result the way the user would see it. */
export const said = ({ status, regressions, overridden, flaky, base }: CheckResult) => ({
  status,
  regressions: regressions.map(each => `${each.test ?? '*'} ${each.how}`),
  overridden: overridden.map(each => `${each.test ?? '*'} ${each.how}`),
  flaky,
  base: base?.machine ?? null,
});
