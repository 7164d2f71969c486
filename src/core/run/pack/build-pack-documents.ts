/** Builds the evidence, summary and check script of a pack from git, the record and sealed texts. */
import { join } from 'node:path';
import type { Crp, Vcr } from '../../../formats/crp-and-vcr.ts';
import { type Evidence, evidenceFile } from '../../../formats/evidence.ts';
import type { CriteriaReport } from '../../../formats/exam/criteria-report.ts';
import { runFiles } from '../../../formats/layout.ts';
import type { RunState } from '../../../formats/state.ts';
import type { TestConfig } from '../../../formats/test-config-and-results.ts';
import { withoutSecrets } from '../../../process/redact-secrets.ts';
import { changedCommandInputs } from '../../../proof/changed-test-settings.ts';
import { setUpScript, toolsScript } from '../../../workspace/dependencies/portable-set-up-script.ts';
import { changedFiles, diffStat } from '../../../workspace/git/diff-trees.ts';
import { filesIn } from '../../../workspace/git/tree-entries.ts';
import { testPaths } from '../../../workspace/read-and-commit-sealed-tests.ts';
import type { Sealed } from '../../../workspace/seal/seal.ts';
import { equalNames } from '../../policy/case-collisions.ts';
import { firstTreeStep, stepThatYields } from '../../policy/pipeline/look-up-steps.ts';
import { testResultOf } from '../../policy/state/current-results.ts';
import { outsideChanges } from '../../policy/user-file-changes.ts';
import { titleOf } from '../../text/run-title.ts';
import { keepLostRefs } from '../effects/keep-lost-refs.ts';
import { readSealedText } from '../effects/read-sealed-text.ts';
import { readUserFileSnapshots } from '../effects/user-file-snapshots.ts';
import { briefingOf } from '../launch/read-user-briefing.ts';
import { readProblems } from '../plugin-problem-log.ts';
import { logHead } from '../record/log-chain-head.ts';
import { recordedTestOutput } from '../record/recorded-test-results.ts';
import { backendOf, type RunContext } from '../run-context.ts';
import { readEvents } from '../run-store.ts';
import { evidenceOf } from './build-evidence.ts';
import { checkScript } from './rerun-tests-script.ts';
import { packSummary } from './summary.ts';

/** Paths relative to the run folder. */
const inRun = runFiles('.');

export async function packEvidence(
  context: RunContext,
  s: RunState,
  { commit, tree }: Sealed,
  config: TestConfig | null,
): Promise<Evidence> {
  const { files, repo } = context;
  const proven = testResultOf(s);
  const tests_tree = proven && s.tests ? s.tests.tests_tree : null;
  const files_changed = await changedFiles(repo, s.base, commit);
  const author = stepThatYields(s.setup, 'tests')?.role;
  const evidence = evidenceOf({
    state: s,
    proven,
    commit,
    tree,
    files_changed,
    tests_tree,
    laid_in: tests_tree === null ? [] : await testPaths(repo, tests_tree),
    test_command: config?.test_command ?? '',
    command_inputs: await changedCommandInputs(repo, s.base, commit, files_changed),
    ...(await keepLostRefs(context, s)),
    equal_names: equalNames(await filesIn(repo, commit), files_changed),
    test_author:
      author === undefined
        ? 'nobody'
        : `${author} (${backendOf(context, s.setup, author)?.name ?? 'unknown'})`,
    log: (await logHead(files.events))!,
  });
  evidenceFile.shape.parse(evidence);
  return evidence;
}

interface SummarizedPack {
  readonly commit: string;
  readonly evidence: Evidence;
  readonly criteria: CriteriaReport;
  readonly answers: readonly { crp: Crp; vcr: Vcr }[];
}

export async function packSummaryText(
  context: RunContext,
  s: RunState,
  { commit, evidence, criteria, answers }: SummarizedPack,
): Promise<string> {
  const { files, repo } = context;
  const judge = stepThatYields(s.setup, 'verdict');
  const text = (path: string) => readSealedText(context, s, path);
  const [stat, tested, review, refined, design, events, plugins, snapshots, briefing] = await Promise.all([
    diffStat(repo, s.base, commit),
    recordedTestOutput(files, s),
    judge ? text(`${judge.folder}/review.md`) : null,
    text(inRun.refined),
    text(inRun.logOf(firstTreeStep(s.setup).folder)),
    readEvents(files),
    readProblems(files),
    readUserFileSnapshots(context, s),
    briefingOf(files),
  ]);
  return withoutSecrets(
    packSummary({
      state: s,
      evidence,
      criteria,
      stat,
      failures: tested?.failures ?? [],
      answers,
      review,
      refined,
      design,
      events,
      plugins,
      briefing,
      title: titleOf(briefing),
      outsideChanges: outsideChanges(events, snapshots),
      at: s.updated_at,
    }),
  );
}

/** Generates the script with which anybody can run the tests of the pack again. */
export function packCheck({ repo }: RunContext, { setup }: RunState, evidence: Evidence): string {
  const directory = join(repo.prefix, setup.checkout.directory).replace(/\/$/, '');
  return checkScript({
    evidence,
    gitDir: repo.gitDir,
    tools: toolsScript(setup.prepare ?? ''),
    setup: setup.prepare === null ? null : setUpScript(setup.prepare),
    directory: directory === '.' ? '' : directory,
  });
}
