/** Builds `mrp/criteria.json` from the sealed criteria and the recorded tests. */
import { type CriteriaReport, criteriaReportFile } from '../../formats/criteria-report.ts';
import { readFormat } from '../../formats/read-and-write-files.ts';
import type { RunState } from '../../formats/state.ts';
import { type TestCases, testCasesFile } from '../../formats/test-cases.ts';
import type { TestConfig } from '../../formats/test-run-files.ts';
import { WHOLE_BRIEFING } from '../policy/criterion-tags.ts';
import { testResultOf } from '../policy/current-results.ts';
import { criteriaOf } from '../policy/feedback-criteria.ts';
import { judgeCriteria } from '../policy/judge-criteria.ts';
import { sealedResult } from '../policy/pipeline.ts';
import { recordedExam } from './recorded-exam.ts';
import type { RunContext } from './run-context.ts';
import { criteriaHash } from './sealed-criteria.ts';

export async function criteriaReport(
  { files }: RunContext,
  s: RunState,
  config: TestConfig | null,
): Promise<CriteriaReport> {
  const [read, exam] = await Promise.all([
    readFormat(testCasesFile, files.testCases),
    recordedExam(files, s),
  ]);
  const criteria = criteriaOf(s);
  const head = read.is === 'value' && isOfResult(read.value, s) ? read.value : null;
  return criteriaReportFile.shape.parse({
    run_id: s.run_id,
    base: s.base,
    tree: sealedResult(s)?.tree,
    tests_tree: testResultOf(s) && s.tests ? s.tests.tests_tree : null,
    sha256: criteria && criteriaHash(criteria),
    change: exam?.change ?? null,
    criteria: exam?.criteria ?? judgeCriteria(criteria ?? [WHOLE_BRIEFING], { config: config ?? {}, head }),
  } satisfies Record<keyof CriteriaReport, unknown>);
}

/** The file is used only if it matches the record. */
const isOfResult = (cases: TestCases, s: RunState): boolean =>
  testResultOf(s) !== null &&
  cases.side === 'head' &&
  cases.tree === s.tests?.tree &&
  cases.tests_tree === s.tests.tests_tree &&
  cases.machine === s.tests.machine;
