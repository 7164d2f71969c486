/** Reads the texts of a pack that record decisions. Each has a line `dure decision`, then the decision as JSON. */
import { z } from 'zod';
import { feedbackCriteria } from '../../core/policy/criteria/briefing-and-feedback-criteria.ts';
import { dureError } from '../../errors.ts';
import type { Criterion } from '../../formats/exam/acceptance-criteria.ts';
import { feedbackFile } from '../../formats/requests-and-feedback.ts';
import { readBlob } from '../../workspace/git/read-blobs.ts';
import { git, type Repository, zSplit } from '../../workspace/git/run-git.ts';

/** A recorded request for changes. */
export const REQUESTED = { kind: z.literal('feedback'), content: feedbackFile.shape.omit({ by: true }) };

/** The requests for changes whose comments are acceptance criteria. Throws `E_PROVE_DIFFERS`. */
export async function feedbackIn(
  repo: Repository,
  commit: string,
  run: string,
): Promise<{ id: string; criteria: readonly Criterion[] }[]> {
  const names = zSplit(await git(repo, ['ls-tree', '-z', '--name-only', commit]));
  return Promise.all(
    names.map(async file => {
      const [, id, round] = /^(feedback-0*([1-9]\d*))\.txt$/.exec(file) ?? [];
      if (id === undefined) return [];
      const text = (await readBlob(repo, commit, file))?.toString() ?? '';
      const read = parsedAs(z.object({ ...REQUESTED, run: z.literal(run) }), text);
      if (!read) throw decisionDiffers(file);
      return [{ id, criteria: feedbackCriteria(Number(round), read.content) }];
    }),
  ).then(found => found.flat());
}

/** Null if the text does not record a decision of this shape. */
export function parsedAs<T>(shape: z.ZodType<T>, text: string): T | null {
  const [first, json = ''] = text.split('\n', 2);
  try {
    return first === 'dure decision' ? (shape.safeParse(JSON.parse(json)).data ?? null) : null;
  } catch {
    return null;
  }
}

export const decisionDiffers = (file: string) => dureError('E_PROVE_DIFFERS', { file, why: 'the decision' });
