/** Builds the views of a run from its folder. Read-only; files written by agents are not trusted. */

import { readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { desired } from '../core/policy/desired.ts';
import { actualState } from '../core/policy/phase.ts';
import { currentStep, timeoutOf } from '../core/policy/pipeline.ts';
import { titleOf } from '../core/policy/run-title.ts';
import { expectPackUnchanged } from '../core/run/pack-hashes.ts';
import { readQuestion } from '../core/run/read-question.ts';
import { repositoryChanges } from '../core/run/repository-changes.ts';
import { movedSince } from '../core/run/request-rebase.ts';
import { readAnswers } from '../core/run/requests.ts';
import { readOptions } from '../core/run/run-record.ts';
import { driverOf, readEvents } from '../core/run/run-store.ts';
import { isCostComplete, spentUsd } from '../core/usage-tracker.ts';
import type { Crp } from '../formats/consultation.ts';
import { criteriaReportFile } from '../formats/criteria-report.ts';
import { crpId } from '../formats/define-file.ts';
import { severityOf } from '../formats/events.ts';
import { readFormat, readText } from '../formats/file.ts';
import { type ProjectFiles, type RunFiles, runBranch } from '../formats/layout.ts';
import { evidenceFile, PACK_LIMIT } from '../formats/mrp.ts';
import { plainText } from '../formats/plain-text.ts';
import { openCautiously } from '../formats/read-text.ts';
import type { RunState } from '../formats/state.ts';
import { type TestOutput, testOutputFile } from '../formats/tests.ts';
import { readCommitConfig } from '../workspace/project/config.ts';
import { repositoryOfRun } from '../workspace/repository.ts';
import type { Crps, CrpView, MrpView } from './decision-protocol.ts';
import type { EventsPage, RunView } from './protocol.ts';
import { HttpRefusal } from './refusal.ts';
import { stateAt } from './run-actions.ts';
import { attentionOf } from './run-row.ts';
import { sanitize } from './sanitize.ts';

const PATCH_LIMIT = 3_000_000;
const LOG_TAIL = 64_000;
const MAX_FILES = 5000;

export async function viewRun(files: RunFiles, id: string): Promise<RunView> {
  const recorded = await stateAt(files, id);
  const driven = (await driverOf(files)) !== null;
  const state = actualState(recorded, driven);
  const [briefing, refined, options] = await Promise.all([
    readPlain(files.raw),
    readPlain(files.refined),
    readOptions(files),
  ]);
  return {
    ...sanitize(state),
    title: titleOf(briefing ?? '') || id,
    briefing: briefing ?? '',
    refined,
    driven,
    wants: attentionOf(state),
    working: desired(state) !== null,
    deadline: deadlineOf(state),
    cost_usd: spentUsd(state),
    cost_complete: isCostComplete(state),
    branch: runBranch(id),
    attach: options?.launcher === 'tmux' ? `dure attach ${id}` : null,
    rehearsal: options?.cassette != null,
  };
}

/** Null if the text is missing or unreadable. */
const readPlain = (file: string): Promise<string | null> =>
  readText(file, 1_000_000).then(
    text => (text === null ? null : plainText(text)),
    () => null,
  );

function deadlineOf(state: RunState): string | null {
  if (!state.since || desired(state) === null) return null;
  const limit = timeoutOf(state.setup, currentStep(state));
  return new Date(Date.parse(state.since) + limit + state.extra_ms).toISOString();
}

export async function viewEvents(files: RunFiles, since: number): Promise<EventsPage> {
  const events = await readEvents(files);
  const fresh = events
    .slice(since)
    .map((event, i) => ({ seq: since + i + 1, severity: severityOf(event.type), event: sanitize(event) }));
  return { events: fresh, last: events.length };
}

export async function readCrp(files: RunFiles, id: string): Promise<Crp | null> {
  const crp = await readQuestion(files, id).catch(() => null);
  return crp && sanitize(crp);
}

/** Includes only recorded questions: an agent's file becomes a question when Dure records it. */
export async function viewCrps(files: RunFiles, id: string): Promise<Crps> {
  const state = await stateAt(files, id);
  const answers = await readAnswers(files);
  const ids = Object.keys(state.known)
    .filter(known => crpId.safeParse(known).success)
    .sort();
  const crps = (await Promise.all(ids.map(known => readCrp(files, known)))).filter(crp => crp !== null);
  return {
    pending: crps.filter(crp => crp.crp_id === state.pending_crp),
    resolved: crps.flatMap(crp => {
      const vcr = answers.find(answer => answer.crp_id === crp.crp_id);
      return vcr ? [{ crp: { ...crp, status: 'resolved' as const }, vcr }] : [];
    }),
  };
}

export async function viewCrp(files: RunFiles, id: string, crp: string): Promise<CrpView> {
  const { pending, resolved } = await viewCrps(files, id);
  const answered = resolved.find(one => one.crp.crp_id === crp);
  const open = pending.find(one => one.crp_id === crp);
  const found = open ?? answered?.crp;
  if (!found) throw new HttpRefusal(404, 'E_CRP_UNKNOWN', `There is no question ${crp}.`);
  return { crp: found, vcr: answered?.vcr ?? null, open: open !== undefined && !answered };
}

export async function viewMrp(project: ProjectFiles, files: RunFiles, id: string): Promise<MrpView> {
  const state = await stateAt(files, id);
  if (!state.mrp)
    throw new HttpRefusal(404, 'E_NOT_READY', `${id} has no merge-readiness pack now (${state.phase}).`);
  await expectPackUnchanged(files, state);
  const [briefing, summary, evidence, criteria, patch, tests, log, list, answers, commit, changed, moved] =
    await Promise.all([
      readPlain(files.raw),
      readText(files.summary, PACK_LIMIT).then(
        text => text ?? '',
        () => '',
      ),
      readFormat(evidenceFile, files.evidence, PACK_LIMIT),
      readFormat(criteriaReportFile, files.criteria, PACK_LIMIT),
      part(files.patch, 'start', PATCH_LIMIT),
      readFormat(testOutputFile, files.testOutput),
      part(files.testLog, 'end', LOG_TAIL),
      filesBelow(files.mrpCode),
      readAnswers(files),
      readCommitConfig(project).catch(() => null),
      changedSinceStart(project, files),
      attentionOf(state) === 'review' ? movedSince({ project, files, state }).catch(() => null) : null,
    ]);
  return {
    run_id: id,
    title: titleOf(briefing ?? '') || id,
    judgement: state.verdict && sanitize(judgementOf(state.verdict)),
    commit: state.mrp.commit,
    tree: state.mrp.tree,
    open: attentionOf(state) === 'review',
    land_tests: commit?.tests ?? 'ask',
    refused: sanitize(state.reason),
    moved: sanitize(moved),
    summary: plainText(summary),
    evidence: evidence.is === 'value' ? sanitize(evidence.value) : null,
    criteria: criteria.is === 'value' ? sanitize(criteria.value) : null,
    patch: patch.text,
    patch_truncated: patch.cut,
    tests: tests.is === 'value' && agrees(tests.value, state) ? sanitize(tests.value) : null,
    log_tail: plainText(log.text),
    files: sanitize(list),
    decisions: await Promise.all(answers.map(async vcr => ({ crp: await readCrp(files, vcr.crp_id), vcr }))),
    changed: changed && { names: [...changed.names], digest: changed.digest },
  };
}

const judgementOf = ({ claimed, verdict, lowered, reason }: NonNullable<RunState['verdict']>) => ({
  claimed,
  verdict,
  lowered,
  reason,
});

async function changedSinceStart(project: ProjectFiles, files: RunFiles) {
  const options = await readOptions(files);
  return options && repositoryChanges(await repositoryOfRun(project, options), project, files);
}

/** An agent may have written to the file since Dure recorded the result. */
const agrees = (testOutput: TestOutput, { tests }: RunState): boolean =>
  tests !== null &&
  testOutput.machine === tests.machine &&
  testOutput.tree === tests.tree &&
  (testOutput.test_results?.failed ?? 0) === tests.failed;

/** The start or end of a file, cut at a line break if it exceeds `limit`. */
async function part(
  file: string,
  end: 'start' | 'end',
  limit: number,
): Promise<{ text: string; cut: boolean }> {
  const handle = await openCautiously(file).catch(() => null);
  if (!handle) return { text: '', cut: false };
  try {
    const found = await handle.stat();
    if (!found.isFile()) return { text: '', cut: false };
    const bytes = Buffer.alloc(Math.min(limit, found.size));
    const { bytesRead } = await handle.read(
      bytes,
      0,
      bytes.length,
      end === 'start' ? 0 : found.size - bytes.length,
    );
    const text = bytes.toString('utf8', 0, bytesRead);
    if (found.size <= limit) return { text, cut: false };
    return {
      text: end === 'start' ? text.slice(0, text.lastIndexOf('\n') + 1) : text.slice(text.indexOf('\n') + 1),
      cut: true,
    };
  } finally {
    await handle.close();
  }
}

/** Returns the sorted paths of regular files. Links are neither followed nor listed. */
async function filesBelow(root: string): Promise<string[]> {
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
