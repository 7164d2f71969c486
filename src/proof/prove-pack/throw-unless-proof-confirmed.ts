/** Throws the error that decides the command's exit status, unless the result of the proof is `confirmed`. */
import { type Acceptable, resultOf } from '../../core/policy/verdict/prove-pack-outcome.ts';
import { dureError } from '../../errors.ts';
import type { ProveResult } from '../../formats/output/prove.ts';

/** Throws `E_PROVE_REFUTED` or `E_PROVE_OPEN`. */
export function throwUnlessProofConfirmed(
  { run_id: run, criteria, checks, quick }: Pick<ProveResult, 'run_id' | 'criteria' | 'checks' | 'quick'>,
  accepted: readonly Acceptable[],
): void {
  const result = resultOf([...criteria, ...checks], accepted);
  if (result === 'confirmed') return;
  const isNamed = (verdict: string) =>
    result === 'refuted' ? verdict === 'REFUTED' : verdict !== 'CONFIRMED';
  const named = [...criteria, ...checks.map(check => ({ ...check, id: check.name }))]
    .flatMap(({ id, verdict }) => (isNamed(verdict) ? [`${id} ${verdict}`] : []))
    .join(', ');
  if (result === 'refuted') throw dureError('E_PROVE_REFUTED', { run, criteria: named });
  throw dureError('E_PROVE_OPEN', { run, criteria: named, quick });
}
