/**
 * Negates the assertions in helpers of the sealed tests, such as a function that checks each case in a list. A
 * test without assertions of its own depends on those in helpers. A helper is included only if it is the same on the
 * result and on base, because the author of the change then wrote nothing in it.
 */
import { basename, dirname } from 'node:path';
import type { ProofJob } from '../../../formats/launch-jobs.ts';
import { escapeRegExp } from '../../../formats/text/text-patterns.ts';
import { withIsolatedGit } from '../../../workspace/git/isolated-git.ts';
import { readBlob } from '../../../workspace/git/read-blobs.ts';
import { treeEntries } from '../../../workspace/git/tree-entries.ts';
import { isTestOrFixture } from '../../test-paths.ts';
import { languageOfFile } from '../syntax/languages.ts';
import { testTitles } from '../syntax/test-titles.ts';
import type { TestFile } from '../test-files-in-known-languages.ts';
import { failingVersions } from './failing-test-versions.ts';

type Edits = ReadonlyMap<string, Buffer>;

/**
 * The edits, by path from the root of the repository: first those that alter expected values or negate assertions, then
 * those that negate the rest and the conditions on which an error is thrown. Empty if no helper has assertions.
 */
export async function negatedHelpers(job: ProofJob, tests: readonly TestFile[]): Promise<Edits[]> {
  const helpers = await helpersOf(job, tests);
  const versions = helpers.map(({ path, text, language }) => ({ path, ...failingVersions(text, language) }));
  return (['altered', 'negated'] as const)
    .map(
      version =>
        new Map(
          versions.flatMap(({ path, [version]: made }) =>
            made ? [[path, Buffer.from(made.text)] as const] : [],
          ),
        ),
    )
    .filter(edits => edits.size > 0);
}

/** Leaves out files with tests: their failures would say nothing about the sealed tests. */
async function helpersOf(
  { base, commit, workspace: { repository } }: ProofJob,
  tests: readonly TestFile[],
): Promise<TestFile[]> {
  const [before, after] = await withIsolatedGit(repository, null, ({ git }) =>
    Promise.all([treeEntries(git, base), treeEntries(git, commit)]),
  );
  const onBase = new Set(before.map(({ path, id }) => `${id} ${path}`));
  const helpers: TestFile[] = [];
  for (const { path, kind, id } of after) {
    const isSealed = tests.some(test => test.path === path);
    if (kind !== null || isSealed || !onBase.has(`${id} ${path}`)) continue;
    if (!isTestOrFixture(path) || !tests.some(test => isUsedBy(test, path))) continue;
    const language = languageOfFile(path);
    const text = language && (await readBlob(repository, commit, path))?.toString();
    if (language && text && testTitles(text, language).length === 0) helpers.push({ path, text, language });
  }
  return helpers;
}

/** Whether the test file imports the helper; pytest loads `conftest.py` by itself, and Go the files of the package. */
function isUsedBy(test: TestFile, helper: string): boolean {
  const folder = dirname(helper);
  if (helper.endsWith('.go')) return dirname(test.path) === folder;
  if (basename(helper) === 'conftest.py') return folder === '.' || test.path.startsWith(`${folder}/`);
  const [name = ''] = basename(helper).split('.');
  const imported = ['index', '__init__'].includes(name) ? basename(folder) : name;
  return new RegExp(`\\b(?:import|require|from)\\b.*[./'"\\s]${escapeRegExp(imported)}\\b`).test(test.text);
}
