/** Fixture: a repository with a base commit and a change, and real runs of tests on variants of it. */
import { cp, mkdtemp, realpath, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { TestCases } from '../../../src/formats/test-cases.ts';
import { type Change, readChange } from '../../../src/proof/exam/changed-code.ts';
import type { RunVariant } from '../../../src/proof/exam/variants/variant.ts';
import { runTests } from '../../../src/proof/run-tests.ts';
import { caseResultsOf } from '../../../src/proof/test-cases-from-report.ts';
import type { Repository } from '../../../src/workspace/git/run-git.ts';
import { commitFiles, type Files, newRepository, writeFiles } from '../../helpers/git-repositories.ts';

export type { Files };

export interface Sample {
  readonly repository: Repository;
  readonly base: string;
  readonly head: string;
  readonly change: () => Promise<Change>;
  /** Runs a command over the tests and a variant, and counts the runs. */
  readonly running: (command: string, tests: Files) => RunVariant;
  runs: number;
}

export async function sample(before: Files, after: Files): Promise<Sample> {
  const top = await realpath(await mkdtemp(join(tmpdir(), 'dure-exam-')));
  onTestFinished(() => rm(top, { recursive: true, force: true, maxRetries: 20 }));
  const base = await newRepository(join(top, 'base'), before);
  await cp(join(top, 'base'), join(top, 'head'), { recursive: true });
  const head = await commitFiles(join(top, 'head'), after);
  const gitDir = join(top, 'head', '.git');
  const repository = { gitDir, commonDir: gitDir, workTree: join(top, 'head'), prefix: '', shadow: false };
  const made: Sample = {
    repository,
    base,
    head,
    change: () => readChange(repository, base, head),
    running: (command, tests) => async (variant, signal) => {
      made.runs += 1;
      const folder = join(top, `run-${made.runs}`);
      await cp(join(top, variant.of), folder, { recursive: true, filter: path => !path.endsWith('.git') });
      await writeFiles(folder, Object.fromEntries(variant.edits));
      await writeFiles(folder, tests);
      await symlink(join(import.meta.dirname, '../../../node_modules'), join(folder, 'node_modules'));
      const place = { top: folder, cwd: folder, bin: [], tools: PATH, variables: CACHES };
      const {
        proof,
        tests: cases,
        isComplete: ended,
      } = await runTests({
        config: {
          test_framework: 'custom',
          test_command: command,
          test_directory: '.',
          timeout_ms: 60_000,
          coverage: false,
        },
        place,
        env: { ...process.env },
        tests: [],
        sandbox: { kind: 'none', why: 'a test' },
        confinement: { writable: [folder], readable: [], hidden: [], network: false },
        signal,
      });
      await rm(folder, { recursive: true, force: true });
      const { machine } = proof;
      return { tree: head, tests_tree: head, side: variant.of, machine, ended, cases: caseResultsOf(cases) };
    },
    runs: 0,
  };
  return made;
}

const PATH = (process.env['PATH'] ?? '').split(delimiter);
const CACHES = {
  PYTHONDONTWRITEBYTECODE: '1',
  GOCACHE: join(tmpdir(), 'dure-exam-go-cache'),
  GOFLAGS: '-count=1',
};

/** Outcome of each test by its title: how it failed, or that it passed. */
export const outcomesByTitle = ({ cases }: TestCases): Record<string, string> =>
  Object.fromEntries(
    cases.map(({ id, outcome, failure }) => [id.slice(id.lastIndexOf('::') + 2), failure ?? outcome]),
  );
