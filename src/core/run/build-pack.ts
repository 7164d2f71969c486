/**
 * Creates the merge-readiness pack from git and Dure's own test run. It is written to a temporary folder and
 * renamed, so a pack that exists is complete.
 */

import { lstat, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { dureError } from '../../errors.ts';
import type { Crp, Vcr } from '../../formats/crp-and-vcr.ts';
import { type Evidence, evidenceFile } from '../../formats/evidence.ts';
import { type RunFiles, runFiles } from '../../formats/layout.ts';
import type { Proof } from '../../formats/pack-proof.ts';
import { guarded, readFormat } from '../../formats/read-and-write-files.ts';
import { feedbackFile } from '../../formats/request.ts';
import type { RunState } from '../../formats/state.ts';
import { packageVersion } from '../../process/package-root.ts';
import { withoutSecrets } from '../../process/redact-secrets.ts';
import { removeFolder } from '../../process/remove-folder.ts';
import { changedCommandInputs } from '../../proof/changed-test-config.ts';
import { testPaths } from '../../workspace/add-tests.ts';
import { filesIn } from '../../workspace/checkout.ts';
import { checkoutTree } from '../../workspace/checkout-tree.ts';
import { setUpScript, toolsScript } from '../../workspace/dependencies/set-up-script.ts';
import { changedFiles, diffStat, writeChanged, writePatch } from '../../workspace/diff.ts';
import type { Sealed } from '../../workspace/seal.ts';
import { equalNames } from '../policy/case-collisions.ts';
import { testResultOf } from '../policy/current-results.ts';
import { roundOf } from '../policy/feedback-criteria.ts';
import { firstTreeStep, sealedResult, sealedTests, stepThatYields } from '../policy/pipeline.ts';
import { titleOf } from '../policy/run-title.ts';
import { outsideChanges } from '../policy/user-file-changes.ts';
import { criteriaReport } from './build-criteria-report.ts';
import { decisionFiles } from './decision-proof.ts';
import { keepRejectedPack } from './earlier-packs.ts';
import { logHead } from './log-checkpoint.ts';
import { briefingOf } from './original-briefing.ts';
import { checkScript } from './pack-check-script.ts';
import { makePackCommit } from './pack-commit.ts';
import { evidenceOf } from './pack-evidence.ts';
import { hashPack, type PackHashes } from './pack-hashes.ts';
import { packSummary } from './pack-summary.ts';
import { readProblems } from './problem-log.ts';
import { withQuestions } from './read-question.ts';
import { readAnswers } from './read-requests.ts';
import { readSealedText } from './read-sealed-text.ts';
import { recordedTestOutput } from './recorded-tests.ts';
import { backendOf, type RunContext } from './run-context.ts';
import { readEvents } from './run-store.ts';
import { sealedConfig } from './sealed-criteria.ts';
import { readUserFileSnapshots } from './user-file-snapshots.ts';

/** Paths relative to the run folder. */
const inRun = runFiles('.');

export interface BuiltPack extends Sealed {
  readonly files: PackHashes;
  /** The commit of the pack. */
  readonly pack: string;
}

/** Throws `E_DISK` if the disk is full. */
export const buildPack = (context: RunContext, s: RunState): Promise<BuiltPack> =>
  guarded(context.files.mrp, () => packed(context, s));

async function packed(context: RunContext, s: RunState): Promise<BuiltPack> {
  const { files, repo } = context;
  const sealed = sealedResult(s);
  if (!sealed) throw dureError('E_NOT_READY', { run: s.run_id, phase: s.phase });
  const proven = testResultOf(s);
  const tests = sealedTests(s);
  const judge = stepThatYields(s.setup, 'verdict');
  const author = stepThatYields(s.setup, 'tests')?.role;
  const [changed, stat, tested, testConfig, answers, sealedTexts, events, plugins, snapshots] =
    await Promise.all([
      changedFiles(repo, s.base, sealed.commit),
      diffStat(repo, s.base, sealed.commit),
      recordedTestOutput(files, s),
      tests ? sealedConfig(repo, tests.commit) : null,
      decisionsOf(context, s),
      Promise.all(
        [
          judge ? `${judge.folder}/review.md` : '',
          inRun.refined,
          inRun.logOf(firstTreeStep(s.setup).folder),
        ].map(path => readSealedText(context, s, path)),
      ),
      readEvents(files),
      readProblems(files),
      readUserFileSnapshots(context, s),
    ]);
  const [review = null, refined = null, design = null] = sealedTexts;
  const briefing = await briefingOf(files);
  const evidence: Evidence = evidenceOf({
    state: s,
    changed,
    proven,
    testCommand: testConfig?.test_command ?? '',
    testsTree: proven && s.tests ? s.tests.tests_tree : null,
    laidIn: proven && s.tests ? await testPaths(repo, s.tests.tests_tree) : [],
    equalNames: equalNames(await filesIn(repo, sealed.commit), changed),
    commandInputs: await changedCommandInputs(repo, s.base, sealed.commit, changed),
    testAuthor:
      author === undefined
        ? 'nobody'
        : `${author} (${backendOf(context, s.setup, author)?.name ?? 'unknown'})`,
    commit: sealed.commit,
    tree: sealed.tree,
    log: s.key === undefined ? null : await logHead(files.events),
  });
  evidenceFile.shape.parse(evidence);

  const temporary = `${files.mrp}.making`;
  await removeFolder(temporary);
  for (const folder of ['code', 'tests']) await mkdir(join(temporary, folder), { recursive: true });
  await writePatch(repo, s.base, sealed.commit, join(temporary, 'changes.patch'));
  await writeChanged(repo, s.base, sealed.commit, join(temporary, 'code'));
  if (tests) await writeTests(context, tests.tree, temporary);
  const write = (name: string, text: string, mode = 0o644) =>
    writeFile(join(temporary, name), text, { mode });
  await write('evidence.json', `${JSON.stringify(evidence, null, 2)}\n`);
  const criteria = await criteriaReport(context, s, testConfig);
  await write('criteria.json', `${JSON.stringify(criteria, null, 2)}\n`);
  await write('proof.json', `${JSON.stringify(proofOf(s, repo.prefix), null, 2)}\n`);
  const directory = join(repo.prefix, s.setup.checkout.directory).replace(/\/$/, '');
  const check = checkScript({
    evidence,
    gitDir: repo.gitDir,
    tools: toolsScript(s.setup.prepare ?? ''),
    setup: s.setup.prepare === null ? null : setUpScript(s.setup.prepare),
    directory: directory === '.' ? '' : directory,
  });
  await write('check.sh', check, 0o755);
  await write(
    'summary.md',
    withoutSecrets(
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
    ),
  );
  for (const { vcr } of answers)
    for (const [name, text] of Object.entries(decisionFiles(s, 'answer', vcr.vcr_id, vcr)))
      await write(name, text);
  for (const [name, text] of Object.entries(await feedbackTexts(files, s))) await write(name, text);
  const hashes = await hashPack(temporary);
  await keepRejectedPack(files, s);
  await removeFolder(files.mrp);
  await rename(temporary, files.mrp);
  return { ...sealed, files: hashes, pack: await makePackCommit(repo, files, s) };
}

const proofOf = ({ run_id, setup }: RunState, prefix: string): Proof => ({
  version: 1,
  run_id,
  dure: packageVersion,
  setup: setup.prepare,
  directory: join(prefix, setup.checkout.directory),
  copy: setup.checkout.copy.map(path => join(prefix, path)),
  network: setup.checkout.network,
  environment: { node: process.versions.node, os: process.platform, arch: process.arch },
});

/** The requested changes that acceptance criteria were derived from, so that others can derive the same criteria. */
async function feedbackTexts(files: RunFiles, s: RunState): Promise<Record<string, string>> {
  const texts: Record<string, string> = {};
  for (const round of new Set((s.feedback_criteria ?? []).map(roundOf))) {
    const file = files.feedbackOf(round!);
    const read = await readFormat(feedbackFile, file);
    if (read.is === 'value')
      Object.assign(texts, decisionFiles(s, 'feedback', basename(file, '.json'), read.value));
  }
  return texts;
}

/** The test files from the sealed tree. They are moved rather than copied, so that links stay valid. */
async function writeTests({ repo }: RunContext, tree: string, packDir: string): Promise<void> {
  const all = join(packDir, '.sealed-tests');
  await checkoutTree(repo, tree, all);
  const found = await lstat(join(all, 'tests')).catch(() => null);
  if (found?.isDirectory()) await rename(join(all, 'tests'), join(packDir, 'tests'));
  await rm(all, { recursive: true, force: true, maxRetries: 20 });
}

async function decisionsOf({ files }: RunContext, s: RunState): Promise<{ crp: Crp; vcr: Vcr }[]> {
  const answers = await readAnswers(files, s);
  return withQuestions(
    files,
    answers.filter(vcr => s.decisions.includes(vcr.vcr_id)),
  );
}
