/**
 * Creates the merge-readiness pack from git and Dure's own test run. It is written to a temporary folder and
 * renamed, so a pack that exists is complete.
 */

import { mkdir, rename, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { dureError } from '../../../errors.ts';
import type { Crp, Vcr } from '../../../formats/crp-and-vcr.ts';
import { isFolder } from '../../../formats/file-system/path-status.ts';
import { removeFolder } from '../../../formats/file-system/remove-folder.ts';
import type { RunFiles } from '../../../formats/layout.ts';
import type { Proof } from '../../../formats/pack-proof-conditions.ts';
import { guarded, readValue } from '../../../formats/read-and-write-files.ts';
import { feedbackFile } from '../../../formats/requests-and-feedback.ts';
import { jsonText } from '../../../formats/schema/strict-json.ts';
import type { RunState } from '../../../formats/state.ts';
import { packageVersion } from '../../../process/package-paths-and-version.ts';
import { writeChanged, writePatch } from '../../../workspace/git/diff-trees.ts';
import { withExactGit } from '../../../workspace/git/isolated-git.ts';
import { writeTreeToFolder } from '../../../workspace/git/write-tree-to-folder.ts';
import type { Sealed } from '../../../workspace/seal/seal.ts';
import { roundOf } from '../../policy/criteria/briefing-and-feedback-criteria.ts';
import { sealedResult, sealedTests } from '../../policy/state/sealed-trees.ts';
import { sealedConfig } from '../effects/sealed-test-config.ts';
import { decisionFiles } from '../requests/decision-proof.ts';
import { withQuestions } from '../requests/read-recorded-question.ts';
import { readAnswers } from '../requests/read-requests-and-answers.ts';
import type { RunContext } from '../run-context.ts';
import { criteriaReport } from './build-criteria-report.ts';
import { packCheck, packEvidence, packSummaryText } from './build-pack-documents.ts';
import { keepRejectedPack } from './earlier-packs.ts';
import { makePackCommit } from './pack-commit.ts';
import { hashPack, type PackHashes } from './pack-integrity.ts';

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
  const tests = sealedTests(s);
  const testConfig = tests ? await sealedConfig(repo, tests.commit) : null;
  const answers = await decisionsOf(context, s);
  const evidence = await packEvidence(context, s, sealed, testConfig);
  const criteria = await criteriaReport(context, s, testConfig);
  const { commit } = sealed;
  const summary = await packSummaryText(context, s, { commit, evidence, criteria, answers });

  const temporary = `${files.mrp}.making`;
  await removeFolder(temporary);
  for (const folder of ['code', 'tests']) await mkdir(join(temporary, folder), { recursive: true });
  await writePatch(repo, s.base, commit, join(temporary, 'changes.patch'));
  await writeChanged(repo, s.base, commit, join(temporary, 'code'));
  if (tests) await writeTests(context, tests.tree, temporary);
  const write = (name: string, text: string, mode = 0o644) =>
    writeFile(join(temporary, name), text, { mode });
  await write('evidence.json', jsonText(evidence));
  await write('criteria.json', jsonText(criteria));
  await write('proof.json', jsonText(proofOf(s, repo.prefix)));
  await write('check.sh', packCheck(context, s, evidence), 0o755);
  await write('summary.md', summary);
  for (const { vcr } of answers)
    for (const [name, text] of Object.entries(decisionFiles(s, 'answer', vcr.vcr_id, vcr)))
      await write(name, text);
  for (const [name, text] of Object.entries(await feedbackTexts(files, s))) await write(name, text);
  const hashes = await hashPack(temporary);
  await keepRejectedPack(files, s);
  await removeFolder(files.mrp);
  await rename(temporary, files.mrp);
  return { ...sealed, files: hashes, pack: await makePackCommit(repo, files, s, hashes) };
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

/** Returns the feedback from which acceptance criteria were derived, so that others can derive the same criteria. */
async function feedbackTexts(files: RunFiles, s: RunState): Promise<Record<string, string>> {
  const texts: Record<string, string> = {};
  for (const round of new Set((s.feedback_criteria ?? []).map(roundOf))) {
    const file = files.feedbackOf(round!);
    const feedback = await readValue(feedbackFile, file);
    if (feedback) Object.assign(texts, decisionFiles(s, 'feedback', basename(file, '.json'), feedback));
  }
  return texts;
}

/** Writes the test files of the sealed tree into the pack. They are moved, not copied, so that links stay valid. */
async function writeTests({ repo }: RunContext, tree: string, packDir: string): Promise<void> {
  const all = join(packDir, '.sealed-tests');
  await writeTreeToFolder(repo, tree, all, withExactGit);
  if (await isFolder(join(all, 'tests'))) await rename(join(all, 'tests'), join(packDir, 'tests'));
  await removeFolder(all);
}

async function decisionsOf({ files }: RunContext, s: RunState): Promise<{ crp: Crp; vcr: Vcr }[]> {
  const answers = await readAnswers(files, s);
  return withQuestions(
    files,
    answers.filter(vcr => s.decisions.includes(vcr.vcr_id)),
  );
}
