/** Runs the proof of one launch: checks out the result, installs dependencies, and runs the Verifier's tests. */
import { join } from 'node:path';
import { unlessDiskFails } from '../formats/file-system/temporary-disk-errors.ts';
import type { ProofJob } from '../formats/launch-jobs.ts';
import { runFiles } from '../formats/layout.ts';
import { readText, replace, replaceJson } from '../formats/read-and-write-files.ts';
import { type TestCaseResult, testCasesFile } from '../formats/test-cases.ts';
import { type TestConfig, type TestOutput, testOutputFile } from '../formats/test-config-and-results.ts';
import type { BackTo } from '../formats/verdict.ts';
import { valueWithoutSecrets, withoutSecrets } from '../process/redact-secrets.ts';
import { findSandbox, type Sandbox } from '../process/sandbox/find-sandbox.ts';
import { addTests } from '../workspace/add-tests-to-checkout.ts';
import { removeCheckouts } from '../workspace/checkout.ts';
import { changedLines } from '../workspace/git/diff-trees.ts';
import { readSealedTests } from '../workspace/read-and-commit-sealed-tests.ts';
import { changedCoverage } from './changed-coverage.ts';
import { type CheckoutFor, prepareCheckout } from './prepare-checkout.ts';
import { runTests, type TestRun, type TestRunInput } from './run-tests.ts';
import { caseResultsOf, limited } from './test-cases-from-report.ts';
import type { TestCase } from './test-results.ts';

export interface ProofOf {
  readonly runDir: string;
  readonly launch: number;
  readonly job: ProofJob;
  /** The environment of the user who started Dure. */
  readonly env: TestRunInput['env'];
  readonly signal: AbortSignal;
  readonly echo?: (chunk: Buffer) => void;
}

/** Writes the log and the test cases before test-output.json, so that they exist whenever that file does. */
export async function proveLaunch(of: ProofOf): Promise<TestOutput> {
  const files = runFiles(of.runDir);
  const { tree, tests_tree, workspace } = of.job;
  try {
    const sandbox = await findSandbox(of.env);
    const { proof, log, testPaths, tests, isComplete } = await proveInCheckout(of, sandbox);
    const output = testOutputFile.shape.parse({
      ...proof,
      ...valueWithoutSecrets({ stdout: proof.stdout, stderr: proof.stderr, failures: proof.failures }),
      ...(proof.problem && { problem: withoutSecrets(proof.problem) }),
      sandbox: sandbox.kind,
      ...(sandbox.why !== null && { no_sandbox_because: sandbox.why }),
      tree,
      tests_tree,
      laid_in: testPaths,
    });
    await replace(files.testLog, withoutSecrets(readableLog(output, log)));
    const cases = {
      tree,
      tests_tree,
      side: 'head',
      machine: output.machine,
      ended: isComplete,
      cases: caseResultsOf(tests).map(redacted),
    };
    await replaceJson(files.testCases, limited(testCasesFile.shape.parse(cases)));
    await replaceJson(files.testOutput, output);
    return output;
  } finally {
    await removeCheckouts(workspace.state, of.runDir);
  }
}

/** Redacts the failure of a test, but not its name, because acceptance criteria refer to the name. */
const redacted = (each: TestCaseResult): TestCaseResult => ({
  ...each,
  ...(each.line && { line: withoutSecrets(each.line) }),
});

interface ProofResult {
  readonly proof: TestRun;
  readonly log: string;
  /** Paths of the tests that were copied into the checkout. */
  readonly testPaths: string[];
  readonly tests: readonly TestCase[];
  readonly isComplete: boolean;
}

async function proveInCheckout(of: ProofOf, sandbox: Sandbox): Promise<ProofResult> {
  const { job, runDir, launch, env, signal, echo } = of;
  const { config, workspace, base, commit, tests_tree } = job;
  const printed: Buffer[] = [];
  const onOutput: CheckoutFor['onOutput'] = chunk => {
    printed.push(chunk);
    echo?.(chunk);
  };
  const prepared = (of: string) =>
    prepareCheckout({ workspace, runDir, launch, commit: of, env, signal, onOutput });
  let checkout = await prepared(commit);
  let back_to: BackTo = 'setup';
  if (checkout.problem !== null) {
    onOutput(Buffer.from('\nThe set-up failed. Trying it on the base commit:\n'));
    if ((await prepared(base)).problem === null) {
      onOutput(Buffer.from('\nIt succeeded there. Trying it on the result again:\n'));
      checkout = await prepared(commit);
      back_to = 'tree';
    }
  }
  const { place, confinement, problem } = checkout;
  const setUpLog = Buffer.concat(printed).toString();
  if (problem !== null) {
    return {
      proof: unprepared(config, problem, back_to),
      log: setUpLog,
      testPaths: [],
      tests: [],
      isComplete: false,
    };
  }
  const testPaths = await addTests(
    await readSealedTests(workspace.repository, tests_tree),
    config.test_command,
    place,
  );
  const { proof, log, lines, tests, isComplete } = await runTests({
    config,
    place,
    tests: testPaths,
    env,
    sandbox,
    confinement,
    signal,
    ...(echo && { echo }),
  });
  const changed =
    lines.size > 0
      ? changedCoverage(lines, await changedLines(workspace.repository, base, commit), {
          ...place,
          goModule: await goModuleAt(place.cwd),
        })
      : null;
  return {
    proof: {
      ...proof,
      ...(changed && changed.percent !== null && { changed_coverage: changed.percent }),
      ...(changed && unmeasured(changed.unmeasured)),
    },
    log: `${setUpLog}${log}`,
    testPaths,
    tests,
    isComplete,
  };
}

/** Maximum number of files named in a test result. */
const MAX_NAMED_FILES = 50;

const unmeasured = (files: readonly string[]): Pick<TestRun, 'unmeasured' | 'unmeasured_count'> => ({
  ...(files.length > 0 && { unmeasured: files.slice(0, MAX_NAMED_FILES) }),
  ...(files.length > MAX_NAMED_FILES && { unmeasured_count: files.length }),
});

async function goModuleAt(folder: string): Promise<string | null> {
  const text = await readText(join(folder, 'go.mod')).catch(unlessDiskFails(null));
  return /^module\s+"?([^\s"]+)/m.exec(text ?? '')?.[1] ?? null;
}

/**
 * If the set-up fails on the result both before and after it succeeds on the base commit, the result must have broken it:
 * a cause such as an unavailable registry would not have ended and begun again.
 */
const unprepared = (config: TestConfig, problem: string, back_to: BackTo): TestRun => ({
  exit_code: null,
  stdout: '',
  stderr: '',
  duration_ms: 0,
  executed_at: new Date().toISOString(),
  machine: 'could-not-run',
  problem: `the set-up failed on the result${back_to === 'tree' ? ', but not on the base commit' : ''}: ${problem}`,
  back_to,
  failures: [],
  command: config.test_command,
});

function readableLog(output: TestOutput, log: string): string {
  const ended = Date.parse(output.executed_at);
  const counts = output.test_results;
  const closing = [
    output.exit_code === null ? 'no exit code' : `exit code ${output.exit_code}`,
    output.problem ? `${output.machine}: ${output.problem}` : output.machine,
    ...(counts
      ? [`${counts.total} tests: ${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`]
      : []),
    ...(output.changed_coverage === undefined
      ? []
      : [`${output.changed_coverage}% of the added and changed lines covered`]),
    ...(output.unmeasured ?? []).map(path => `changed, but not in any coverage report: ${path}`),
    ...(output.unmeasured_count === undefined
      ? []
      : [`changed, but not in any coverage report: ${output.unmeasured_count} files in total`]),
    ...(output.coverage === undefined ? [] : [`${output.coverage}% of all lines covered`]),
  ];
  return [
    `$ ${output.command}`,
    output.sandbox === 'none'
      ? `without a sandbox: ${output.no_sandbox_because}`
      : `in a ${output.sandbox} sandbox`,
    `started ${new Date(ended - output.duration_ms).toISOString()}`,
    '',
    `${log.trimEnd()}`,
    '',
    `ended ${output.executed_at}, after ${(output.duration_ms / 1000).toFixed(1)} s`,
    ...closing,
    '',
  ].join('\n');
}
