/** Reads the acceptance criteria and the tests that claim them from sealed trees. */
import { relative } from 'node:path';
import { type Criteria, type Criterion, criteriaText } from '../../../formats/exam/acceptance-criteria.ts';
import { parseCriteria } from '../../../formats/exam/parse-acceptance-criteria.ts';
import { runFiles } from '../../../formats/layout.ts';
import type { Step } from '../../../formats/state.ts';
import { sha256 } from '../../../formats/text/sha256.ts';
import { readBlob } from '../../../workspace/git/read-blobs.ts';
import type { Repository } from '../../../workspace/git/run-git.ts';
import type { Sealed } from '../../../workspace/seal/seal.ts';

const { refined } = runFiles('.');

/** Returns the sealed criteria; null if there are none; a message to the agent that wrote them if they are invalid. */
export async function criteriaOfSeal(
  repo: Repository,
  step: Step,
  { commit }: Sealed,
): Promise<Criteria | string | null> {
  if (!step.outputs.includes(refined)) return null;
  const text = await readBlob(repo, commit, relative(step.folder, refined));
  const parsed = text && parseCriteria(text.toString());
  if (!parsed) return null;
  if ('problem' in parsed) return `${refined}:${parsed.line}: ${parsed.problem}`;
  const list = [...parsed.list];
  return { sha256: criteriaHash(list), list };
}

export const criteriaHash = (list: readonly Criterion[]): string => sha256(criteriaText(list));
