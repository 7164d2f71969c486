/** Reads the acceptance criteria and the tests that claim them from sealed trees. */
import { relative } from 'node:path';
import {
  type Criteria,
  type Criterion,
  criteriaText,
  parseCriteria,
} from '../../../formats/exam/acceptance-criteria.ts';
import { sha256 } from '../../../formats/hash.ts';
import { runFiles } from '../../../formats/layout.ts';
import { parseFormat } from '../../../formats/read-and-write-files.ts';
import type { RunState, Step } from '../../../formats/state.ts';
import { type TestConfig, testConfigFile } from '../../../formats/test-run-files.ts';
import { readBlob } from '../../../workspace/git/diff.ts';
import type { Repository } from '../../../workspace/git/run-git.ts';
import type { Sealed } from '../../../workspace/seal/seal.ts';
import { testPaths } from '../../../workspace/sealed-tests.ts';
import { criteriaOf } from '../../policy/criteria/feedback-criteria.ts';
import { unclaimedCriteria, unclaimedCriteriaMessage } from '../../policy/criteria/unclaimed-criteria.ts';

const { refined } = runFiles('.');

/** Returns the sealed criteria; null if there are none; or a message to the agent that wrote the briefing. */
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

/** Reads the configuration that was sealed with the tests, not the current file. */
export async function sealedConfig(repo: Repository, commit: string): Promise<TestConfig | null> {
  const blob = await readBlob(repo, commit, 'test-config.json');
  const read = blob && parseFormat(testConfigFile, blob.toString());
  return read?.is === 'value' ? read.value : null;
}

/** Maximum number of test files that are searched for criteria. */
const MAX_FILES = 200;

/** Returns a message to the agent that wrote the tests; null if each criterion has a test or a reason for none. */
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
