/** Builds the views of a run from its folder. Read-only; files written by agents are not trusted. */

import { desired } from '../../core/policy/desired-launch.ts';
import { deadlineOf } from '../../core/policy/run-limits.ts';
import { actualState } from '../../core/policy/state/state-without-driver.ts';
import { readOptions } from '../../core/run/record/read-run-record.ts';
import { readQuestion } from '../../core/run/requests/read-recorded-question.ts';
import { readAnswers } from '../../core/run/requests/read-requests-and-answers.ts';
import { driverOf, readEvents } from '../../core/run/run-store.ts';
import { titleOf } from '../../core/text/run-title.ts';
import { isCostComplete, spentUsd } from '../../core/usage-tracker.ts';
import type { Crp } from '../../formats/crp-and-vcr.ts';
import { severityOf } from '../../formats/events/event-types-and-severity.ts';
import { type RunFiles, runBranch, runIdOf } from '../../formats/layout.ts';
import { readText } from '../../formats/read-and-write-files.ts';
import { crpId } from '../../formats/schema/common-fields.ts';
import type { RunState } from '../../formats/state.ts';
import { plainText } from '../../formats/text/plain-text.ts';
import { HttpRefusal } from '../api/http-refusal.ts';
import type { EventsPage, RunView } from '../http-protocol.ts';
import type { Crps, CrpView } from '../question-and-action-protocol.ts';
import { sanitizeAgentStrings } from '../sanitize-agent-strings.ts';
import { attentionOf } from './read-run-row.ts';
import { recordedState } from './recorded-state.ts';

export async function viewRun(files: RunFiles): Promise<RunView> {
  const id = runIdOf(files);
  const recorded = await recordedState(files);
  const driven = (await driverOf(files)) !== null;
  const state = actualState(recorded, driven);
  const [briefing, refined, options] = await Promise.all([
    readPlain(files.raw),
    readPlain(files.refined),
    readOptions(files),
  ]);
  return {
    ...sanitizeAgentStrings(state),
    title: titleOf(briefing ?? '') || id,
    briefing: briefing ?? '',
    refined,
    driven,
    wants: attentionOf(state),
    working: desired(state) !== null,
    deadline: timeLimitOf(state),
    cost_usd: spentUsd(state),
    cost_complete: isCostComplete(state),
    branch: runBranch(id),
    attach: options?.launcher === 'tmux' ? `dure attach ${id}` : null,
    rehearsal: options?.cassette != null,
  };
}

/** Returns null if the file is missing or cannot be read. */
export const readPlain = (file: string): Promise<string | null> =>
  readText(file, 1_000_000).then(
    text => (text === null ? null : plainText(text)),
    () => null,
  );

function timeLimitOf(state: RunState): string | null {
  if (!state.since || desired(state) === null) return null;
  return new Date(deadlineOf(state)).toISOString();
}

export async function viewEvents(files: RunFiles, since: number): Promise<EventsPage> {
  const events = await readEvents(files);
  const fresh = events.slice(since).map((event, i) => ({
    seq: since + i + 1,
    severity: severityOf(event.type),
    event: sanitizeAgentStrings(event),
  }));
  return { events: fresh, last: events.length };
}

export async function readCrp(files: RunFiles, id: string): Promise<Crp | null> {
  const crp = await readQuestion(files, id).catch(() => null);
  return crp && sanitizeAgentStrings(crp);
}

/** Includes only recorded questions: a file from an agent becomes a question when Dure records it. */
export async function viewCrps(files: RunFiles): Promise<Crps> {
  const state = await recordedState(files);
  const answers = await readAnswers(files, state);
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

export async function viewCrp(files: RunFiles, crp: string): Promise<CrpView> {
  const state = await recordedState(files);
  const isKnown = crpId.safeParse(crp).success && Object.hasOwn(state.known, crp);
  const found = isKnown ? await readCrp(files, crp) : null;
  if (!found) throw new HttpRefusal(404, 'E_CRP_UNKNOWN', `There is no question ${crp}.`);
  const vcr = (await readAnswers(files, state)).find(answer => answer.crp_id === crp) ?? null;
  const open = crp === state.pending_crp && vcr === null;
  return { crp: vcr ? { ...found, status: 'resolved' } : found, vcr, open };
}
