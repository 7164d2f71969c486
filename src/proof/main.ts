/** The execution of tests as a launch: runs them in the run's proof folder and writes the two files about it. */
import { replace, replaceJson } from '../formats/file.ts';
import { runFiles } from '../formats/layout.ts';
import { type TestConfig, type TestOutput, testOutputFile } from '../formats/tests.ts';
import { type Limits, prove, type Trial } from './prove.ts';

/** The sealed trees that were laid out in the proof folder, and how their tests are run. */
export interface ProofJob {
  readonly config: TestConfig;
  /** The Verifier's own command, when `config` has the workspace's setup before it. */
  readonly own_command?: string | undefined;
  /** Git tree of the tested output. */
  readonly tree: string;
  /** Git tree of the verifier folder. */
  readonly tests_tree: string;
  /** Default: the environment of this process. */
  readonly env?: Trial['env'];
  readonly limits?: Limits;
  readonly echo?: (chunk: Buffer) => void;
}

/** The log is written first, so that whoever finds the result finds the log as well. */
export async function proveLaunch(runDir: string, job: ProofJob, signal: AbortSignal): Promise<TestOutput> {
  const files = runFiles(runDir);
  const { config, own_command, tree, tests_tree, env = process.env, limits, echo } = job;
  const { proof, log } = await prove({
    config,
    own_command,
    cwd: files.proof,
    env,
    signal,
    ...(limits && { limits }),
    ...(echo && { echo }),
  });
  const output = testOutputFile.shape.parse({ ...proof, tree, tests_tree });
  await replace(files.testLog, readable(output, log));
  await replaceJson(files.testOutput, output);
  return output;
}

function readable(output: TestOutput, log: string): string {
  const ended = Date.parse(output.executed_at);
  const counts = output.test_results;
  const closing = [
    output.exit_code === null ? 'no exit code' : `exit code ${output.exit_code}`,
    output.problem ? `${output.machine}: ${output.problem}` : output.machine,
    ...(counts
      ? [`${counts.total} tests: ${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`]
      : []),
    ...(output.coverage === undefined ? [] : [`${output.coverage} % of the lines covered`]),
  ];
  return [
    `$ ${output.command}`,
    `started ${new Date(ended - output.duration_ms).toISOString()}`,
    '',
    `${log.trimEnd()}`,
    '',
    `ended ${output.executed_at}, after ${(output.duration_ms / 1000).toFixed(1)} s`,
    ...closing,
    '',
  ].join('\n');
}
