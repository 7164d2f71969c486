/**
 * Reads a pack in quarantine and compares it with what can be derived from the git objects: the chain of commits, the
 * trees, the patch, the criteria. What the pack says about tests is only a claim. Throws `E_PROVE_DIFFERS` with the
 * name of the file if something differs.
 */

import type { z } from 'zod';
import { WHOLE_BRIEFING } from '../../core/policy/criteria/criterion-tags.ts';
import { criteriaHash } from '../../core/run/effects/sealed-criteria.ts';
import { dureError } from '../../errors.ts';
import { type Evidence, evidenceFile, PACK_LIMIT } from '../../formats/evidence.ts';
import type { Criterion } from '../../formats/exam/acceptance-criteria.ts';
import { type CriteriaReport, criteriaReportFile } from '../../formats/exam/criteria-report.ts';
import { parseCriteria } from '../../formats/exam/parse-acceptance-criteria.ts';
import { type Proof, proofFile } from '../../formats/pack-proof-conditions.ts';
import { parseFormat } from '../../formats/read-and-write-files.ts';
import type { FileFormat } from '../../formats/schema/define-file.ts';
import { type TestConfig, testConfigFile } from '../../formats/test-config-and-results.ts';
import { damageOfObjects, isAncestor } from '../../workspace/git/commit-ancestry-and-damage.ts';
import { changedFiles, readPatch } from '../../workspace/git/diff-trees.ts';
import { readBlob } from '../../workspace/git/read-blobs.ts';
import { askGit, type Repository, revParse } from '../../workspace/git/run-git.ts';
import { treeAt } from '../../workspace/git/tree-of-commit.ts';
import { testConflict, testPaths } from '../../workspace/read-and-commit-sealed-tests.ts';
import { feedbackIn } from './read-recorded-decisions.ts';

export interface OpenPack {
  /** The commit of the pack. */
  readonly commit: string;
  readonly evidence: Evidence & { readonly tests_tree: string };
  readonly proof: Proof;
  readonly claimed: CriteriaReport;
  /** The criteria in the sealed briefing. */
  readonly criteria: readonly Criterion[];
  readonly config: TestConfig;
}

/** Throws `E_PROVE_PACK` or `E_PROVE_DIFFERS`. */
export async function readPack(repo: Repository, commit: string): Promise<OpenPack> {
  const head = await revParse(repo, `${commit}^1`);
  if (head === null) throw damaged(`${commit.slice(0, 12)} is not the commit of a pack`);
  const read = <F extends FileFormat>(format: F, path: string) => readFile(repo, commit, format, path);
  const evidence = await read(evidenceFile, 'evidence.json');
  const proof = await read(proofFile, 'proof.json');
  const claimed = await read(criteriaReportFile, 'criteria.json');
  if (evidence.commit !== head) throw differs('evidence.json', 'the commit of the result');
  const { base, tree, tests_tree, run_id } = evidence;
  await expectObjects(repo, base, commit);
  if (!(await isAncestor(repo, base, head))) throw differs('evidence.json', 'the base commit');
  if (tree !== (await treeAt(repo, head))) throw differs('evidence.json', 'the tree of the result');
  if (proof.run_id !== run_id) throw differs('proof.json', 'the run');
  const claims = { run_id: claimed.run_id, base: claimed.base, tree: claimed.tree };
  for (const [what, value] of Object.entries(claims))
    if (value !== { run_id, base, tree }[what]) throw differs('criteria.json', what);
  if (tests_tree === null) throw dureError('E_PROVE_NO_TESTS', { run: run_id });
  if (tests_tree !== (await revParse(repo, `${commit}:verifier`)))
    throw differs('verifier', 'the tree of the tests');
  await expectPatch(repo, commit, evidence);
  const config = await read(testConfigFile, 'verifier/test-config.json');
  if (evidence.test_command !== config.test_command) throw differs('evidence.json', 'the test command');
  const paths = await testPaths(repo, tests_tree);
  if (!isSame(evidence.laid_in, paths)) throw differs('evidence.json', 'the paths of the tests');
  const conflict = await testConflict(repo, tree, tests_tree);
  if (conflict !== null) throw differs('verifier', conflict);
  const criteria = await sealedCriteria(repo, commit, claimed);
  return { commit, evidence: { ...evidence, tests_tree }, proof, claimed, criteria, config };
}

async function readFile<F extends FileFormat>(
  repo: Repository,
  commit: string,
  format: F,
  path: string,
): Promise<z.infer<F['shape']>> {
  const size = await askGit(repo, ['cat-file', '-s', `${commit}:${path}`]).catch(() => null);
  if (size === null) throw damaged(`${path} is missing`);
  if (Number(size) > PACK_LIMIT) throw damaged(`${path} is too large`);
  const read = parseFormat(format, (await readBlob(repo, commit, path))?.toString() ?? '');
  if (read.is === 'value') return read.value as z.infer<F['shape']>;
  throw damaged(`${path}: ${read.is === 'invalid' ? read.problem : 'it is missing'}`);
}

/** Checks that all objects not reachable from base exist, and that their contents match their ids. */
async function expectObjects(repo: Repository, base: string, commit: string): Promise<void> {
  if ((await askGit(repo, ['cat-file', '-e', `${base}^{commit}`]).catch(() => null)) === null)
    throw dureError('E_PROVE_BASE', { commits: base.slice(0, 12) });
  const damage = await damageOfObjects(repo, [commit, `^${base}`]);
  if (damage !== null) throw damaged(damage);
}

async function expectPatch(repo: Repository, commit: string, { base, ...of }: Evidence): Promise<void> {
  const [expected, packed] = await Promise.all([
    readPatch(repo, base, of.commit),
    readBlob(repo, commit, 'changes.patch'),
  ]);
  if (packed === null || comparable(expected) !== comparable(packed))
    throw differs('changes.patch', 'the changes');
  if (!isSame(of.files_changed, await changedFiles(repo, base, of.commit)))
    throw differs('evidence.json', 'the changed files');
}

/**
 * The patch without the data of binary files, which depends on the compressor; the ids of both versions
 * remain.
 */
const comparable = (patch: Buffer): string =>
  patch.toString('latin1').replaceAll(BINARY, 'GIT binary patch\n');
/**
 * The part of a binary patch that git reads: the new and the old version, each with its size, lines in base 85 and a
 * blank line.
 */
const BINARY =
  /^GIT binary patch\n(?:(?:literal|delta) \d+\n(?:[A-Za-z][0-9A-Za-z!#$%&()*+;<=>?@^_`{|}~-]+\n)+\n){1,2}/gm;

/** Reads the criteria from the briefing and the feedback in the pack, never from the pack's own list. */
async function sealedCriteria(
  repo: Repository,
  commit: string,
  claimed: CriteriaReport,
): Promise<readonly Criterion[]> {
  const briefing = (await readBlob(repo, commit, 'briefing/refined.md'))?.toString() ?? '';
  const parsed = parseCriteria(briefing);
  if (parsed && 'problem' in parsed) throw differs('briefing/refined.md', parsed.problem);
  const feedback = parsed ? await feedbackIn(repo, commit, claimed.run_id) : [];
  const list = [...(parsed?.list ?? [WHOLE_BRIEFING]), ...feedback.flatMap(({ criteria }) => criteria)];
  if ((parsed && criteriaHash(list)) !== claimed.sha256)
    throw differs('criteria.json', 'the hash of the criteria');
  list.forEach((sealed, i) => {
    const { id, kind, text } = claimed.criteria[i] ?? {};
    if (id !== sealed.id || kind !== sealed.kind || text !== sealed.text)
      throw differs('criteria.json', `${sealed.id} differs from the sealed text`);
  });
  if (claimed.criteria.length !== list.length) throw differs('criteria.json', 'it has additional criteria');
  return list;
}

/** Throws if a file of the pack's folder differs from the same file in the commit. */
export async function expectSameFiles(
  repo: Repository,
  commit: string,
  files: Readonly<Record<string, Buffer>>,
): Promise<void> {
  for (const [name, bytes] of Object.entries(files)) {
    const sealed = await readBlob(repo, commit, name);
    if (sealed && !sealed.equals(bytes)) throw differs(name, 'the file in the folder');
  }
}

const isSame = (one: readonly string[], other: readonly string[]): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

const damaged = (why: string) => dureError('E_PROVE_PACK', { why });
const differs = (file: string, why: string) => dureError('E_PROVE_DIFFERS', { file, why });
