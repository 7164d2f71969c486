/** Determines the command that the user runs to continue a run, or to bring back what was lost during it. */
import type { Crp } from '../../formats/crp-and-vcr.ts';
import type { LostRef } from '../../formats/evidence.ts';
import type { RunState } from '../../formats/state.ts';
import { singleLine } from '../../formats/text/plain-text.ts';
import { isWorkedOn } from './state/phase.ts';

/**
 * Returns the command that the user runs to continue the run; null if no action is needed. If a question is open, the
 * command includes the recommended option, or the first one if none is recommended.
 */
export function commandFor(
  s: Pick<RunState, 'run_id' | 'phase' | 'timeout_noticed'>,
  open: Crp | null = null,
): string | null {
  switch (s.phase) {
    case 'waiting_human': {
      const option = open && (open.recommendation ?? open.options[0]?.id);
      return `dure answer ${s.run_id}${option ? ` --decision ${word(option)}` : ''}`;
    }
    case 'ready_for_merge':
      return `dure review ${s.run_id}`;
    case 'interrupted':
      return `dure recover ${s.run_id}`;
    default:
      return s.timeout_noticed && isWorkedOn(s.phase) ? `dure extend ${s.run_id}` : null;
  }
}

/** Extends a command so that it works in a shell outside the project. */
export const inProject = (command: string, root: string): string => `${command} --project ${word(root)}`;

/**
 * Returns the command that brings back a tag, or a branch or a stash entry that was deleted. If the branch still exists
 * (`now`), returns the command that shows what it no longer contains: the user may have moved it.
 */
export function restoreCommand({ ref, object, now }: LostRef): string {
  const [, kind, name = ''] = /^refs\/(heads|tags)\/(.+)$/s.exec(ref) ?? [];
  if (kind === undefined) return `git stash store ${object}`;
  if (kind === 'tags') return `git tag ${now === null ? '' : '--force '}${word(name)} ${object}`;
  return now === null ? `git branch ${word(name)} ${object}` : `git log ${word(name)}..${object}`;
}

/** Quotes an option id, a path or a branch, so that it stays one shell word when pasted. Agents choose the ids. */
const word = (id: string) =>
  /^[A-Za-z0-9_/][A-Za-z0-9_./-]*$/.test(id) ? id : `'${singleLine(id).replaceAll("'", `'\\''`)}'`;

/**
 * Returns the command that rebases a run onto a branch. `onto` is null for the default: the branch that the run started
 * from.
 */
export const rebaseCommand = (run: string, began: string, onto: string | null): string =>
  `dure rebase ${run}${onto === null || onto === began ? '' : ` --onto ${word(onto)}`}`;
