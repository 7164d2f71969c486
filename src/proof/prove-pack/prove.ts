/**
 * Repeats the proof of a pack from another clone: opens it in quarantine, compares it with its git objects, runs its
 * tests and the project's own checks in checkouts of the result and of base, and judges the criteria by the outcomes
 * on this machine. All temporary files are removed unless `keep` is set.
 */

import { readFile } from 'node:fs/promises';
import { verdictOf } from '../../core/policy/verdict/prove-pack-criterion-verdict.ts';
import { dureError } from '../../errors.ts';
import type { JudgedCriterion } from '../../formats/exam/criteria-report.ts';
import { removeFolder } from '../../formats/file-system/remove-folder.ts';
import { PROVER, runFiles } from '../../formats/layout.ts';
import type { ProvenCriterion, ProveResult } from '../../formats/output/prove.ts';
import { load } from '../../formats/read-and-write-files.ts';
import { testCasesFile } from '../../formats/test-cases.ts';
import { findSandbox } from '../../process/sandbox/find-sandbox.ts';
import { isAncestor } from '../../workspace/git/commit-ancestry-and-damage.ts';
import { readBlob } from '../../workspace/git/read-blobs.ts';
import { git, type Repository } from '../../workspace/git/run-git.ts';
import { runExam } from '../exam/run-exam.ts';
import { proveLaunch } from '../run-proof.ts';
import {
  differencesOf,
  environmentHere,
  externalNeedOf,
  filesMissingHere,
} from './failure-reasons-on-this-machine.ts';
import { type PackSource, quarantine } from './open-pack-in-quarantine.ts';
import { signatureOf, trustedKeys } from './pack-signature.ts';
import { expectSameFiles, type OpenPack, readPack } from './read-and-verify-pack.ts';
import { proveChecks } from './repeat-project-checks.ts';
import { fileAlreadyInProject, testsAlreadyInProject } from './tests-already-in-project.ts';
import { decisionsIn } from './verify-decisions-in-pack.ts';
import { makeWorkingFolder } from './working-folder.ts';

export interface ProveOf {
  /** The repository in which the command was run; null if it was run outside a repository. */
  readonly clone: Repository | null;
  readonly source: PackSource;
  /** Files of a pack folder by name, to be compared with the commit. */
  readonly files: Readonly<Record<string, Buffer>>;
  /** The user's environment. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** `none`: the tests run without a sandbox. */
  readonly sandbox: 'auto' | 'none';
  /** Number of test runs on the result and on base; if 0, the number depends on how long the tests take. */
  readonly rounds: number;
  /** Time limit in seconds for all test runs. */
  readonly budget_s: number;
  /** Runs the tests only once on the result and once on base. That can refute the result, but not confirm it. */
  readonly quick: boolean;
  /** The criteria to prove; all if empty. */
  readonly only: readonly string[];
  /** A file with trusted keys; if null, the one from the user's git configuration. */
  readonly trusted: string | null;
  /** Path of the `prove.mjs` that belongs to this program. */
  readonly prover: string;
  /** Keeps the log of the tests and the repository of the pack. */
  readonly keep: boolean;
  readonly signal: AbortSignal;
  /** Receives the output of set-up and tests. */
  readonly echo?: (chunk: Buffer) => void;
  readonly onOpened?: (pack: OpenPack) => void;
}

/** Throws `E_PROVE_…`; see `errors.ts`. */
export async function prove(of: ProveOf): Promise<ProveResult> {
  const started = performance.now();
  const env = of.sandbox === 'none' ? { ...of.env, DURE_SANDBOX: 'none' } : of.env;
  const sandbox = await findSandbox(env);
  if (sandbox.kind === 'none' && of.sandbox !== 'none')
    throw dureError('E_PROVE_SANDBOX', { why: sandbox.why });
  const place = await makeWorkingFolder(of.clone?.workTree ?? process.cwd(), of.env);
  try {
    const { repo, pack: commit } = await quarantine(of.clone, of.source, place);
    const pack = await readPack(repo, commit);
    await expectSameFiles(repo, commit, of.files);
    expectCriteria(of.only, pack);
    const trusted = of.trusted ?? (await trustedKeys(repo));
    const signature = await signatureOf(repo, commit, trusted);
    const decisions = await decisionsIn(repo, pack, trusted);
    const prover = await readBlob(repo, commit, PROVER);
    const ownProver = await readFile(of.prover);
    of.onOpened?.(pack);
    const judged = await judge({ ...of, env }, repo, pack, place);
    const { evidence, proof } = pack;
    const here = environmentHere();
    return {
      run_id: evidence.run_id,
      pack: commit,
      base: evidence.base,
      head: evidence.commit,
      tree: evidence.tree,
      ...(await placeInHistory(of.clone, evidence.base)),
      environment: { claimed: proof.environment, here, differs: differencesOf(proof.environment, here) },
      sandbox: sandbox.kind,
      quick: of.quick,
      signature,
      decisions,
      prover: prover === null ? 'none' : prover.equals(ownProver) ? 'same' : 'other',
      ...judged,
      seconds: Math.round((performance.now() - started) / 100) / 10,
      kept: of.keep ? place : null,
    };
  } finally {
    if (!of.keep) await removeFolder(place);
  }
}

function expectCriteria(asked: readonly string[], { criteria }: OpenPack): void {
  const known = criteria.map(({ id }) => id);
  const unknown = asked.find(id => !known.includes(id));
  if (unknown !== undefined)
    throw dureError('E_PROVE_CRITERION', { criterion: unknown, known: known.join(', ') });
}

async function judge(of: ProveOf, repo: Repository, pack: OpenPack, place: string) {
  const { evidence, proof, config, claimed } = pack;
  const criteria = pack.criteria.filter(({ id }) => of.only.length === 0 || of.only.includes(id));
  const { base, commit, tree, tests_tree } = evidence;
  const workspace = {
    project: repo.workTree,
    repository: repo,
    state: place,
    setup: proof.setup,
    copy: [],
    directory: proof.directory,
    // Tests from another clone never get network access, even if they had it where the pack was made.
    network: false,
  };
  // As in a run: first the proof on the result, then the exam, which reads the files that the proof wrote.
  const launch = {
    runDir: place,
    launch: 1,
    env: of.env,
    signal: of.signal,
    ...(of.echo && { echo: of.echo }),
  };
  const job = { config, base, commit, tree, tests_tree, workspace };
  const { machine, problem: onHead } = await proveLaunch({ ...launch, job });
  const head = await load(testCasesFile, runFiles(place).testCases);
  // To repeat a kill that the pack claims, the exam may have to plant as many faults as the pack's own exam did.
  const mutants = Math.max(MUTANTS, claimed.change?.mutants.length ?? 0);
  const settings = { rounds: of.quick ? 1 : of.rounds, budget_s: of.budget_s, mutants };
  // The job contains all criteria, because two of them may share tests.
  const about = { ...job, criteria: [...pack.criteria], settings, may_question: false };
  const exam = await runExam({ ...launch, job: about, ...(of.quick && { until: 'base' }) });
  of.signal.throwIfAborted();
  const [missing, shared] = await Promise.all([
    filesMissingHere(repo, pack),
    testsAlreadyInProject(repo, pack),
  ]);
  const differs = differencesOf(proof.environment, environmentHere());
  const excuse =
    differs.length > 0
      ? `this environment differs from the pack's: ${differs.join(', ')}`
      : missing.length > 0
        ? `these files are not in the pack: ${missing.slice(0, 5).join(', ')}`
        : null;
  const { checks, broken } = of.quick ? NO_CHECKS : await proveChecks({ ...launch, job }, pack, excuse);
  return {
    checks,
    problem: onHead ?? exam.problem ?? null,
    criteria: criteria.map(({ id, kind, text }): ProvenCriterion => {
      const here = exam.criteria.find(each => each.id === id)!;
      // Tests that passed before the command ended early prove nothing: a run would not examine them either.
      const judged: JudgedCriterion =
        onHead !== undefined && (machine === 'could-not-run' || here.status === 'could-not-run')
          ? { ...here, status: 'could-not-run', reason: onHead }
          : here;
      const ids = judged.tests.map(test => test.id);
      const claim = claimed.criteria.find(each => each.id === id)!;
      const seen = {
        judged,
        excuse: externalNeedOf(ids, head ? [head] : []) ?? excuse,
        notOwn: fileAlreadyInProject(ids, shared, evidence.laid_in),
        broken,
      };
      return { id, kind, text, ...verdictOf(claim, seen), tests: judged.tests };
    }),
  };
}

const MUTANTS = 24;
const NO_CHECKS = { checks: [], broken: null };

/** Finds a branch that contains base, looking only at `HEAD` and the default branch of `origin`. */
async function placeInHistory(
  clone: Repository | null,
  base: string,
): Promise<Pick<ProveResult, 'base_is_ancestor_of' | 'behind'>> {
  for (const branch of clone ? ['origin/HEAD', 'HEAD'] : []) {
    const isIn = await isAncestor(clone!, base, branch).catch(() => false);
    if (!isIn) continue;
    const name = await git(clone!, ['rev-parse', '--abbrev-ref', branch]);
    return {
      base_is_ancestor_of: name,
      behind: Number(await git(clone!, ['rev-list', '--count', `${base}..${branch}`])),
    };
  }
  return { base_is_ancestor_of: null, behind: null };
}
