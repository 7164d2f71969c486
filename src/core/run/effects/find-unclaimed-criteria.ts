/** Finds the criteria that no sealed test names and for which `not_claimed` gives no reason. */

import type { RunState } from '../../../formats/state.ts';
import { readBlob } from '../../../workspace/git/read-blobs.ts';
import type { Repository } from '../../../workspace/git/run-git.ts';
import { testPaths } from '../../../workspace/read-and-commit-sealed-tests.ts';
import type { Sealed } from '../../../workspace/seal/seal.ts';
import { criteriaOf } from '../../policy/criteria/briefing-and-feedback-criteria.ts';
import { unclaimedCriteria, unclaimedCriteriaMessage } from '../../policy/criteria/unclaimed-criteria.ts';
import { sealedConfig } from './sealed-test-config.ts';

/** Maximum number of test files that are searched for criteria. */
const MAX_FILES = 200;

/** Returns a message to the agent that wrote the tests; null if there is nothing new to report. */
export async function unclaimed(repo: Repository, s: RunState, sealed: Sealed): Promise<string | null> {
  const criteria = criteriaOf(s);
  if (!criteria) return null;
  const paths = (await testPaths(repo, sealed.tree)).slice(0, MAX_FILES);
  const texts = await Promise.all(
    paths.map(async path => (await readBlob(repo, sealed.commit, `tests/${path}`))?.toString() ?? ''),
  );
  const config = (await sealedConfig(repo, sealed.commit)) ?? {};
  return unclaimedCriteriaMessage(unclaimedCriteria(criteria, config, [...paths, ...texts]), s);
}
