/** Builds the views of merge-readiness packs: of the current one, and of those for which changes were requested. */

import { readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { lineDefence } from '../../core/policy/criteria/lines-defended-by-tests.ts';
import { repositorySettingsChanges } from '../../core/run/effects/repository-settings-changes.ts';
import { type EarlierPack, earlierPack } from '../../core/run/pack/earlier-packs.ts';
import { expectPackUnchanged } from '../../core/run/pack/pack-integrity.ts';
import { recordedRepository } from '../../core/run/record/open-recorded-repository.ts';
import { recordedTestOutput } from '../../core/run/record/recorded-test-results.ts';
import { readAnswers } from '../../core/run/requests/read-requests-and-answers.ts';
import { movedSince } from '../../core/run/requests/request-rebase.ts';
import { titleOf } from '../../core/text/run-title.ts';
import { evidenceFile, PACK_LIMIT } from '../../formats/evidence.ts';
import { criteriaReportFile } from '../../formats/exam/criteria-report.ts';
import { type ProjectFiles, type RunFiles, runIdOf } from '../../formats/layout.ts';
import { load, readFormat, readText } from '../../formats/read-and-write-files.ts';
import { readStartOrEnd } from '../../formats/read-part-of-file.ts';
import { feedbackFile } from '../../formats/requests-and-feedback.ts';
import type { RunState } from '../../formats/state.ts';
import { plainText } from '../../formats/text/plain-text.ts';
import { readablePatch } from '../../workspace/git/diff-trees.ts';
import { readCommitConfig } from '../../workspace/project/read-and-write-config.ts';
import { HttpRefusal } from '../api/http-refusal.ts';
import type { MrpView, SinceView } from '../pack-protocol.ts';
import { sanitizeAgentStrings } from '../sanitize-agent-strings.ts';
import { attentionOf } from './read-run-row.ts';
import { recordedState } from './recorded-state.ts';
import { readCrp, readPlain } from './run-views.ts';

const PATCH_LIMIT = 3_000_000;
const LOG_TAIL = 64_000;
const MAX_FILES = 5000;

type Pack = Pick<EarlierPack, 'files' | 'state'>;

async function currentPack(files: RunFiles): Promise<Pack> {
  const state = await recordedState(files);
  if (!state.mrp)
    throw new HttpRefusal(
      404,
      'E_NOT_READY',
      `${runIdOf(files)} has no current merge-readiness pack (${state.phase}).`,
    );
  return { files, state: { ...state, mrp: state.mrp } };
}

/** The number of the current pack. After changes are requested, the pack remains until the next iteration starts. */
const numberOf = ({ feedbacks, todo }: RunState): number =>
  todo?.kind === 'iterate' ? feedbacks : feedbacks + 1;

export const viewMrp = async (project: ProjectFiles, files: RunFiles): Promise<MrpView> =>
  viewPack(project, await currentPack(files));

/** Packs are numbered from 1; the current pack has the highest number. */
export async function packNumbered(files: RunFiles, number: number): Promise<Pack> {
  return number === numberOf(await recordedState(files)) ? currentPack(files) : earlierPack(files, number);
}

export const viewPackNumbered = async (project: ProjectFiles, files: RunFiles, number: number) =>
  viewPack(project, await packNumbered(files, number));

/** What changed in a pack since the previous one, for which changes were requested. */
export async function viewSince(project: ProjectFiles, files: RunFiles, number: number): Promise<SinceView> {
  const [before, now] = await Promise.all([earlierPack(files, number - 1), packNumbered(files, number)]);
  const repo = await recordedRepository(project, files);
  if (!repo) throw new HttpRefusal(404, 'E_NOT_READY', `The repository of ${runIdOf(files)} is unknown.`);
  const patch = await readablePatch(repo, before.state.mrp.commit, now.state.mrp.commit, PATCH_LIMIT);
  return {
    pack: number - 1,
    ...sanitizeAgentStrings(before.feedback),
    rebased: before.state.base !== now.state.base,
    patch: patch.text,
    patch_truncated: patch.cut,
  };
}

async function viewPack(project: ProjectFiles, { files, state }: Pack): Promise<MrpView> {
  const id = runIdOf(files);
  const open = attentionOf(state) === 'review';
  const number = numberOf(state);
  await expectPackUnchanged(files, state, number > state.feedbacks ? undefined : number);
  const [briefing, summary, evidence, criteria, patch, ran, list, answers, feedback, commit, changed, moved] =
    await Promise.all([
      readPlain(files.raw),
      readText(files.summary, PACK_LIMIT).then(
        text => text ?? '',
        () => '',
      ),
      readFormat(evidenceFile, files.evidence, PACK_LIMIT),
      readFormat(criteriaReportFile, files.criteria, PACK_LIMIT),
      patchOf(project, files, state),
      recordedTestOutput(files, state),
      regularFilesIn(files.mrpCode),
      readAnswers(files, state),
      number > state.feedbacks ? null : load(feedbackFile, files.feedbackOf(number)),
      readCommitConfig(project).catch(() => null),
      open ? changedSinceStart(project, files) : null,
      open ? movedSince({ project, files, state }).catch(() => null) : null,
    ]);
  // The log of an earlier pack was replaced when later tests ran.
  const log =
    ran || number > state.feedbacks ? (await readStartOrEnd(files.testLog, 'end', LOG_TAIL)).text : '';
  const decisions = answers.filter(({ vcr_id }) => state.decisions.includes(vcr_id));
  return {
    run_id: id,
    pack: number,
    title: titleOf(briefing ?? '') || id,
    judgement: state.verdict && sanitizeAgentStrings(judgementOf(state.verdict)),
    commit: state.mrp.commit,
    tree: state.mrp.tree,
    open,
    feedback: feedback && sanitizeAgentStrings(feedback),
    land_tests: commit?.tests ?? 'ask',
    refused: sanitizeAgentStrings(state.reason),
    moved: sanitizeAgentStrings(moved),
    summary: plainText(summary),
    evidence: evidence.is === 'value' ? sanitizeAgentStrings(evidence.value) : null,
    criteria: criteria.is === 'value' ? sanitizeAgentStrings(criteria.value) : null,
    lines:
      criteria.is === 'value' && criteria.value.change
        ? sanitizeAgentStrings(lineDefence(criteria.value.change))
        : null,
    patch: patch.text,
    patch_truncated: patch.cut,
    tests: ran && sanitizeAgentStrings(ran),
    log_tail: plainText(log),
    files: sanitizeAgentStrings(list),
    decisions: await Promise.all(
      decisions.map(async vcr => ({ crp: await readCrp(files, vcr.crp_id), vcr })),
    ),
    changed: changed && { names: [...changed.names], digest: changed.digest },
  };
}

const judgementOf = ({ claimed, verdict, lowered, reason }: NonNullable<RunState['verdict']>) => ({
  claimed,
  verdict,
  lowered,
  reason,
});

/** The recorded patch or, if files may have been renamed, the same changes with git's rename detection. */
async function patchOf(project: ProjectFiles, files: RunFiles, { base, mrp }: Pack['state']) {
  const recorded = await readStartOrEnd(files.patch, 'start', PATCH_LIMIT);
  if (!/^deleted file mode/m.test(recorded.text) || !/^new file mode/m.test(recorded.text)) return recorded;
  const repo = await recordedRepository(project, files).catch(() => null);
  const renamed = repo && (await readablePatch(repo, base, mrp.commit, PATCH_LIMIT).catch(() => null));
  return renamed ?? recorded;
}

async function changedSinceStart(project: ProjectFiles, files: RunFiles) {
  const repo = await recordedRepository(project, files);
  return repo && repositorySettingsChanges(repo, project, files);
}

/** Returns the sorted paths of regular files. Links are neither followed nor listed. */
async function regularFilesIn(root: string): Promise<string[]> {
  const found: string[] = [];
  const folders = [root];
  for (let dir = folders.pop(); dir !== undefined && found.length < MAX_FILES; dir = folders.pop()) {
    const entries = await readdir(dir, { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      const path = join(dir, entry.name);
      if (entry.isDirectory()) folders.push(path);
      else if (entry.isFile() && found.length < MAX_FILES) found.push(relative(root, path));
    }
  }
  return found.sort();
}
