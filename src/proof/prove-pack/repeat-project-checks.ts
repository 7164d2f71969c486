/**
 * Repeats the project's own checks that a pack lists, as in a run: on the result, and on base where the comparison
 * needs it.
 */
import { brokenTests, checkVerdict } from '../../core/policy/verdict/judge-repeated-check.ts';
import type { ProvenCheck } from '../../formats/output/prove.ts';
import { treeAt } from '../../workspace/git/tree-of-commit.ts';
import { runChecks } from '../checks/run-checks.ts';
import type { ProofOf } from '../run-proof.ts';
import { externalNeedIn } from './failure-reasons-on-this-machine.ts';
import type { OpenPack } from './read-and-verify-pack.ts';

const MIN_TIMEOUT_MS = 60_000;
const MAX_TIMEOUT_MS = 3_600_000;
/** How many times longer a check may run on this machine than on the machine of the pack's author. */
const SLOWDOWN_FACTOR = 5;

/**
 * `broken`: a test of base that the result breaks, although the pack says otherwise; null if there is none.
 * `excuse`: why a check may fail on this machine although the result is correct; null if there is no such reason.
 */
export async function proveChecks(
  { job, runDir, launch, env, signal, echo }: ProofOf,
  { evidence }: OpenPack,
  excuse: string | null,
): Promise<{ readonly checks: ProvenCheck[]; readonly broken: string | null }> {
  const { commit, tree, base, workspace } = job;
  const claimed = evidence.checks;
  if (claimed.length === 0) return { checks: [], broken: null };
  const { output, log } = await runChecks({
    runDir,
    launch,
    // Dure's version matters only for cached check runs, and there are none here.
    version: '',
    env,
    signal,
    echo: echo ?? (() => {}),
    job: {
      checks: claimed.map(({ name, command, duration_ms }) => ({
        name,
        command,
        timeout_ms: Math.round(
          Math.min(MAX_TIMEOUT_MS, MIN_TIMEOUT_MS + SLOWDOWN_FACTOR * Math.max(0, duration_ms)),
        ),
      })),
      commit,
      tree,
      base,
      base_tree: await treeAt(workspace.repository, base),
      workspace,
    },
  });
  const why = excuse ?? externalNeedIn('a check', log.split('\n'));
  const broken = output.checks.flatMap((here, n) => brokenTests(claimed[n]!, here));
  return {
    checks: output.checks.map((here, n) => ({
      name: here.name,
      command: here.command,
      ...checkVerdict(claimed[n]!, here, why),
    })),
    broken: why === null ? (broken.find(test => test !== null) ?? null) : null,
  };
}
