/**
 * Runs tests on variants of the result and of its base commit, in prepared checkouts of the two commits. What the
 * set-up built from the sources is built again from the edited ones. Between two runs a checkout is restored to the
 * state after its set-up. If the tests cannot run on a variant, or if they change the code that they test, the problem
 * is returned as a value: such a run shows nothing. A failed set-up is returned only for an unedited commit. For edited
 * files it is thrown, because it happens before they are edited and does not mean that their code cannot be loaded.
 */
import { randomBytes } from 'node:crypto';
import { lstat, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { unlessDiskFails } from '../../../formats/file-system/temporary-disk-errors.ts';
import type { TestCases } from '../../../formats/test-cases.ts';
import { findSandbox } from '../../../process/sandbox/find-sandbox.ts';
import { addTests } from '../../../workspace/add-tests-to-checkout.ts';
import { fingerprintsOf } from '../../../workspace/fingerprint-and-restore-folder.ts';
import { filesIn } from '../../../workspace/git/tree-entries.ts';
import { treeAt } from '../../../workspace/git/tree-of-commit.ts';
import type { SealedTest } from '../../../workspace/read-and-commit-sealed-tests.ts';
import type { PreparedCheckout } from '../../prepare-checkout.ts';
import { sharedCheckouts } from '../../reuse-checkouts.ts';
import type { ProofOf } from '../../run-proof.ts';
import { runTests } from '../../run-tests.ts';
import { caseResultsOf, limited } from '../../test-cases-from-report.ts';
import { type BuiltFilesBackup, backUpBuiltFiles } from './back-up-built-files.ts';
import type { Variant } from './variant.ts';

/** The tests could not be loaded, or the command could not run at all. */
export const NOTHING_REPORTED = 'the test command failed before it reported a test';
/** The tests ended the command, or it selected none of them. */
export const ENDED_EARLY = 'the test command succeeded without reporting a test';
/** Shells use higher exit codes for commands that could not be started or were killed. */
const MAX_EXIT_CODE = 125;

/** `command` defaults to the sealed command. Concurrent test runs use different checkouts. */
export type RunWith = (variant: Variant, signal: AbortSignal, command?: string) => Promise<TestCases>;

export function variantRunner(of: ProofOf, sealedTests: readonly SealedTest[]): RunWith {
  const { workspace, tests_tree } = of.job;
  const { repository } = workspace;
  const commits = { head: of.job.commit, base: of.job.base };
  const testsOf = ({ tests }: Variant) => sealedTests.map(test => withText(test, tests?.get(test.path)));
  const unused: Record<Variant['of'], string[]> = { head: [], base: [] };
  const checkouts = sharedCheckouts({
    workspace,
    runDir: of.runDir,
    launch: of.launch,
    env: of.env,
    onOutput: chunk => of.echo?.(chunk),
  });
  const kept = new WeakMap<PreparedCheckout, BuiltFilesBackup>();
  const keptOf = async (prepared: PreparedCheckout): Promise<BuiltFilesBackup> => {
    const { top } = prepared.place;
    const files =
      kept.get(prepared) ?? (await backUpBuiltFiles(top, join(dirname(top), `${basename(top)}-built`)));
    kept.set(prepared, files);
    return files;
  };

  const runIn = async (part: string, variant: Variant, signal: AbortSignal, test_command: string) => {
    const commit = commits[variant.of];
    const about = { tree: await treeAt(repository, commit), tests_tree, side: variant.of };
    const couldNotRun = (problem: string): TestCases => ({
      ...about,
      machine: 'could-not-run',
      problem,
      ended: false,
      cases: [],
    });
    const prepared = await checkouts.prepare(part, commit, signal);
    if (prepared.problem !== null) {
      const problem = `the set-up failed: ${prepared.problem}`;
      if (variant.edits.size > 0 || variant.tests) throw new Error(problem);
      return couldNotRun(problem);
    }
    const { top } = prepared.place;
    const rebuild = variant.edits.size > 0 ? prepared.rebuild : null;
    const files = rebuild && (await keptOf(prepared));
    const before = await edit(top, variant.edits);
    try {
      const failed = rebuild && (await rebuild(signal));
      if (failed !== null) return couldNotRun(`the build failed: ${failed}`);
      const tests = await addTests(testsOf(variant), of.job.config.test_command, prepared.place);
      const guarded = [...(await filesIn(repository, commit)), ...variant.edits.keys(), ...tests];
      const guardedPaths = guarded.map(path => join(top, path));
      const were = await fingerprintsOf(guardedPaths);
      const {
        proof,
        tests: named,
        isComplete: ended,
      } = await runTests({
        config: { ...of.job.config, test_command },
        place: prepared.place,
        tests,
        env: of.env,
        sandbox: await findSandbox(of.env),
        confinement: prepared.confinement,
        signal,
        ...(of.echo && { echo: of.echo }),
      });
      const are = await fingerprintsOf(guardedPaths);
      const changed = guardedPaths.find(path => were.get(path) !== are.get(path));
      if (changed !== undefined)
        return couldNotRun(`the tests changed the code that they test: ${relative(top, changed)}`);
      const { exit_code: code } = proof;
      const problem = (named.length === 0 && problemOfSilence(code)) || proof.problem;
      return limited({
        ...about,
        machine: proof.machine,
        ...(problem && { problem }),
        ended,
        cases: caseResultsOf(named),
      });
    } finally {
      await edit(top, before);
      // If the files cannot be restored, the checkout is created again.
      const restored = (await files?.restore().catch(unlessDiskFails(null))) ?? [];
      await checkouts.acceptChanges(part, [...[...before.keys()].map(path => join(top, path)), ...restored]);
    }
  };

  return async (variant, signal, command = of.job.config.test_command) => {
    signal.throwIfAborted();
    const names = unused[variant.of];
    // The name does not reveal the commit (base or result), because the tests can see the path of the checkout.
    const part = names.pop() ?? randomBytes(4).toString('hex');
    try {
      return await runIn(part, variant, signal, command);
    } finally {
      names.push(part);
    }
  };
}

/** Why a command that ended with this exit code reported no test; null if the code does not say. */
function problemOfSilence(code: number | null): string | null {
  if (code === 0) return ENDED_EARLY;
  return code !== null && code > 0 && code <= MAX_EXIT_CODE ? NOTHING_REPORTED : null;
}

const withText = (test: SealedTest, text: string | undefined): SealedTest =>
  text === undefined ? test : { ...test, bytes: Buffer.from(text) };

/**
 * Edits files and returns the edits that restore them. Each edited file gets a new inode, so that no tool mistakes it
 * for the old one.
 */
async function edit(top: string, edits: Variant['edits']): Promise<Map<string, Buffer | null>> {
  const before = new Map<string, Buffer | null>();
  for (const [path, bytes] of edits) {
    await refuseLinks(top, path);
    const file = join(top, path);
    const found = await lstat(file).catch(unlessDiskFails(null));
    before.set(path, found ? await readFile(file) : null);
    await rm(file, { force: true });
    if (bytes === null) continue;
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, bytes, { flag: 'wx', mode: found?.mode ?? 0o644 });
  }
  return before;
}

/** Editing a file through a link would change another file, perhaps one outside the checkout. */
async function refuseLinks(top: string, path: string): Promise<void> {
  for (let part = path; part !== '.'; part = dirname(part)) {
    const found = await lstat(join(top, part)).catch(unlessDiskFails(null));
    if (found?.isSymbolicLink()) throw new Error(`${part} is a link, so ${path} cannot be edited`);
  }
}
