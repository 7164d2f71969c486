/** Limits a verdict to what the tests and checks allow, and asks its handler what follows. */

import type { RunEvent } from '../../../formats/events/events.ts';
import { readValue } from '../../../formats/read-and-write-files.ts';
import type { RunState } from '../../../formats/state.ts';
import { resultsFile } from '../../../formats/test-config-and-results.ts';
import type { Outcome } from '../../../index.ts';
import { isAgentStep, stepThatYields } from '../../policy/pipeline/look-up-steps.ts';
import { checksOf, proofOf, testResultOf } from '../../policy/state/current-results.ts';
import { summarizeRun } from '../../policy/state/run-summary-for-plugins.ts';
import { type Effect, ofLaunch } from '../../policy/transition.ts';
import { ceiling, type VerdictFault } from '../../policy/verdict/verdict-ceiling.ts';
import { failedLaunch } from '../launch/agent-failed-event.ts';
import type { RunContext } from '../run-context.ts';
import { writeViolations } from './detect-and-revert-stray-files.ts';
import { restoreRunSeals } from './seal-bundles.ts';

const now = () => new Date().toISOString();
export async function judgeVerdict(
  context: RunContext,
  s: RunState,
  verdict: Extract<Effect, { kind: 'judge' }>['verdict'],
): Promise<RunEvent> {
  await restoreRunSeals(context, s);
  const stray = await writeViolations(context, s);
  if (stray) return failedLaunch(s, 'validation', stray);
  const held = ceiling(
    verdict.verdict,
    proofOf(s),
    s.setup.criteria,
    verdict.fault ?? (await faultInResults(context, s)),
    checksOf(s),
  );
  const handler = context.verdicts.find(h => h.verdict === held.verdict);
  if (!handler) return failedLaunch(s, 'validation', `no plugin handles the verdict ${held.verdict}`);
  const given = known(s, await handler.outcome({ ...verdict, verdict: held.verdict }, summarizeRun(s)));
  const { outcome, verdict: ruled, lowered } = provenOnly(s, { ...held, outcome: given });
  return {
    at: now(),
    type: 'verdict.given',
    ...ofLaunch(s),
    verdict: ruled,
    claimed: verdict.verdict,
    lowered,
    reason:
      outcome.next === 'fail' ? outcome.why : (outcome.next === 'ask' && outcome.question) || verdict.reason,
    issues: verdict.issues ?? [],
    next: outcome.next === 'rework' && outcome.minor ? 'fix' : outcome.next,
    ...(outcome.next === 'rework' && { back_to: held.back_to }),
    ...(outcome.next === 'rework' && outcome.step !== undefined && { from_step: outcome.step }),
  };
}

/** Rework can only start at an agent's step in this pipeline: for any other step, the user is asked instead. */
function known({ setup }: RunState, outcome: Outcome): Outcome {
  if (outcome.next !== 'rework' || outcome.step === undefined) return outcome;
  const name = outcome.step;
  return setup.pipeline.some(step => isAgentStep(step) && step.name === name)
    ? outcome
    : {
        next: 'ask',
        question: `The verdict sends the work to the step ${name}, which this run does not have.`,
      };
}

interface Ruled {
  readonly verdict: string;
  readonly lowered: string | null;
  readonly outcome: Outcome;
}

/** Whatever the verdict and its handler say, a result without proof is not ready. */
function provenOnly(s: RunState, { verdict, lowered, outcome }: Ruled): Ruled {
  if (outcome.next !== 'ready' || testResultOf(s) !== null) return { verdict, lowered, outcome };
  const because = stepThatYields(s.setup, 'proof')
    ? 'the tests were not run on this result'
    : `no step of the pipeline ${s.setup.pipeline_name} runs tests`;
  return {
    verdict: 'NEEDS_HUMAN',
    lowered: `${verdict} became NEEDS_HUMAN: ${because}`,
    outcome: { next: 'ask' },
  };
}

/** Who is at fault, according to the `results.json` of the role that writes the tests. */
async function faultInResults({ files }: RunContext, s: RunState): Promise<VerdictFault> {
  const folder = stepThatYields(s.setup, 'tests')?.folder;
  if (folder === undefined) return undefined;
  return (await readValue(resultsFile, files.resultsOf(folder)))?.fault;
}
