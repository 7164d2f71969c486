/** Reads the console output of `cargo test`, which has no machine-readable report in stable toolchains. */
import { type Failure, failureOf } from '../failure-kind.ts';
import { addUp, type ReadReport, type ReadTests, resultsOf, type TestCase } from '../test-results.ts';

const TARGET = /^ +(?:Running (?:unittests )?(\S+) \(.*\)|Doc-tests (\S+))$/;
const TEST = /^test (.+?)(?: - should panic)? \.\.\. (ok|FAILED|ignored)\b/;
const RESULT = /^test result: (?:ok|FAILED)\. (\d+) passed; (\d+) failed; (\d+) ignored;/gm;
const STATUS = { ok: 'passed', FAILED: 'failed', ignored: 'skipped' } as const;

/** Cargo prints targets on stderr: when stdout is read separately, test names have no target prefix. */
export const cargoTests: ReadTests = text => {
  const tests: TestCase[] = [];
  let target = '';
  for (const line of text.split('\n')) {
    const running = TARGET.exec(line);
    if (running) target = running[1] ?? `doc-tests ${running[2]}`;
    const test = TEST.exec(line);
    if (test)
      tests.push({
        name: target ? `${target}::${test[1]}` : test[1]!,
        status: STATUS[test[2] as keyof typeof STATUS],
        ...(test[2] === 'FAILED' && { failure: failureIn(text, test[1]!) }),
      });
  }
  return new RegExp(RESULT).test(text) ? tests : [];
};

/**
 * The message of a panic follows the line with its location. The messages of Rust's own macros start with
 * `assertion`.
 */
const PANIC = /^thread '.*' (?:\(\d+\) )?panicked at .*:\n(.*)/m;

function failureIn(text: string, test: string): Failure {
  const start = text.indexOf(`\n---- ${test} stdout ----\n`);
  const next = start < 0 ? -1 : text.indexOf('\n---- ', start + 1);
  const line = (start >= 0 && PANIC.exec(text.slice(start, next < 0 ? undefined : next))?.[1]) || '';
  return failureOf(
    /^assertion (?:failed: |`left (?:==|!=) right` failed)/.test(line) ? 'assert' : 'error',
    line,
  );
}

export const readCargo: ReadReport = text =>
  addUp(
    [...text.matchAll(RESULT)].map(([, passed, failures, ignored]) =>
      resultsOf({ passed: Number(passed), failed: Number(failures), skipped: Number(ignored) }, []),
    ),
    cargoTests(text).flatMap(test => (test.status === 'failed' ? [test.name] : [])),
  );
