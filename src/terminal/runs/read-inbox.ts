/** Lists everything that is waiting for the user, in all projects that the user has used. Read-only. */
import { existsSync } from 'node:fs';
import { commandFor, inProject } from '../../core/policy/command-for-user.ts';
import { OVER_PHASES } from '../../core/policy/state/phase.ts';
import { readQuestion } from '../../core/run/requests/read-recorded-question.ts';
import { listedPhase, runIds, runStatus } from '../../core/run/run-store.ts';
import { usedProjects } from '../../core/run/seen-commands-and-used-projects.ts';
import { titleOf } from '../../core/text/run-title.ts';
import { DureError, dureError } from '../../errors.ts';
import { type ProjectFiles, projectFiles, runFiles } from '../../formats/layout.ts';
import type { WaitingRun } from '../../formats/output/common.ts';
import { asUnreadable, readTextOrEmpty } from '../../formats/read-untrusted-files.ts';
import type { ErrorText } from '../../words/cli/load-language.ts';
import { nextAction } from '../suggested-commands.ts';

/** What a run can wait for, in the order in which the inbox lists it. */
export const WAIT_KINDS: readonly WaitingRun['waits_for'][] = ['answer', 'approval', 'time', 'recovery'];

/** A run or project that cannot be read, so it is not known whether it waits for the user. */
export interface Unreadable {
  readonly project: string;
  /** Null if the runs of the project cannot be listed. */
  readonly run_id: string | null;
  readonly error: DureError;
  /** Adds the project to a command, unless the inbox was read from that project. */
  readonly here: (command: string) => string;
}

export interface Inbox {
  /** Sorted by kind; within each kind, the longest wait comes first. */
  readonly waiting: readonly WaitingRun[];
  readonly unreadable: readonly Unreadable[];
}

/** `here`: the project whose commands need no `--project`. */
export async function readInbox(here: ProjectFiles | null): Promise<Inbox> {
  const roots = new Set([...(here ? [here.root] : []), ...(await usedProjects())]);
  const projects = [...roots].map(projectFiles).filter(({ config }) => existsSync(config));
  const found = await Promise.all(projects.map(project => entriesOf(project, here?.root === project.root)));
  const entries = found.flat().filter(entry => entry !== null);
  const place = ({ waits_for }: WaitingRun) => WAIT_KINDS.indexOf(waits_for);
  return {
    waiting: entries
      .filter(entry => 'waits_for' in entry)
      .sort((a, b) => place(a) - place(b) || (a.since < b.since ? -1 : 1)),
    unreadable: entries.filter(entry => 'error' in entry),
  };
}

async function entriesOf(
  project: ProjectFiles,
  isHere: boolean,
): Promise<(WaitingRun | Unreadable | null)[]> {
  const here = (command: string) => (isHere ? command : inProject(command, project.root));
  const unreadable = (run_id: string | null, file: string) => (cause: Error) => ({
    project: project.root,
    run_id,
    here,
    error:
      cause instanceof DureError
        ? cause
        : (asUnreadable(cause) ?? dureError('E_FILE_UNREADABLE', { file, why: cause.message })),
  });
  const ids = await runIds(project).catch(unreadable(null, project.runs));
  if ('error' in ids) return [ids];
  const open = ids.filter(id => !OVER_PHASES.includes(listedPhase(runFiles(project.run(id))) ?? ''));
  return Promise.all(open.map(id => waitingRun(project, id, here).catch(unreadable(id, project.run(id)))));
}

export const adviceOf = ({ here }: Unreadable, { suggestions }: ErrorText): string[] =>
  suggestions.map(text => text.replace(/`(dure [^`]+)`/g, (_, command: string) => `\`${here(command)}\``));

/** Returns the object that `dure inbox --json` prints for an unreadable run or project. */
export const unreadableEntry = (one: Unreadable) => ({
  project: one.project,
  run_id: one.run_id,
  problem: one.error.message,
  suggestions: adviceOf(one, one.error),
});

async function waitingRun(
  project: ProjectFiles,
  id: string,
  here: Unreadable['here'],
): Promise<WaitingRun | null> {
  const files = runFiles(project.run(id));
  const state = (await runStatus(files))?.state;
  if (!state) return null;
  const question = state.pending_crp && (await readQuestion(files, state.pending_crp).catch(() => null));
  const command = commandFor(state, question || null);
  if (command === null) return null;
  return {
    project: project.root,
    run_id: id,
    briefing: titleOf(readTextOrEmpty(files.raw)),
    waits_for: nextAction(state)?.for ?? 'time',
    since: state.updated_at,
    question: question || null,
    command: here(command),
  };
}
