/** Builds `mrp/criteria.json` from the sealed criteria and the recorded tests. */
import { type CriteriaReport, criteriaReportFile } from '../../../formats/exam/criteria-report.ts';
import type { RunState } from '../../../formats/state.ts';
import type { TestConfig } from '../../../formats/test-config-and-results.ts';
import { criteriaOf } from '../../policy/criteria/briefing-and-feedback-criteria.ts';
import { WHOLE_BRIEFING } from '../../policy/criteria/criterion-tags.ts';
import { judgeCriteria } from '../../policy/criteria/judge-criteria.ts';
import { testResultOf } from '../../policy/state/current-results.ts';
import { sealedResult } from '../../policy/state/sealed-trees.ts';
import { criteriaHash } from '../effects/sealed-criteria.ts';
import { recordedExam } from '../record/recorded-exam.ts';
import { recordedTestCases } from '../record/recorded-test-results.ts';
import type { RunContext } from '../run-context.ts';

export async function criteriaReport(
  { files }: RunContext,
  s: RunState,
  config: TestConfig | null,
): Promise<CriteriaReport> {
  const [head, exam] = await Promise.all([recordedTestCases(files, s), recordedExam(files, s)]);
  const criteria = criteriaOf(s);
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
