/**
 * What a user has written about a pack but not sent yet. It is kept in this browser. Each part is stored
 * separately, so that a keystroke in one part does not re-render the others.
 */
import { useCallback, useMemo } from 'react';
import type { Feedback } from '../../formats/requests-and-feedback.ts';
import { draftKeys, dropDraft, readDraft, useDraft, writeDraft } from './hooks/use-draft.ts';

/** Refers to lines of the result, or of the base (`side: old`). `line` is the first, `end_line` the last line. */
export type Comment = Feedback['comments'][number];
export type CommentPlace = Omit<Comment, 'comment'>;
export const sideOf = (place: CommentPlace): 'old' | 'new' => place.side ?? 'new';
export const endOf = (place: CommentPlace): number => place.end_line ?? place.line;
/** Whether both comments end on the same line. If so, the later one replaces the earlier one. */
export const isSamePlace = (a: CommentPlace, b: CommentPlace): boolean =>
  a.file === b.file && sideOf(a) === sideOf(b) && endOf(a) === endOf(b);
const without = (comments: readonly Comment[], place: CommentPlace): readonly Comment[] =>
  comments.filter(one => !isSamePlace(one, place));

export interface Commenting {
  /** The sides whose lines can be commented on. */
  readonly sides: readonly ('old' | 'new')[];
  readonly comments: readonly Comment[];
  put(...comments: readonly Comment[]): void;
  remove(place: CommentPlace): void;
  /** The comment that was typed on this file but not added, if any. */
  unfinished(file: string): Comment | undefined;
  keep(comment: Comment): void;
}

interface Pack {
  readonly run_id: string;
  readonly tree: string;
}
type Part = 'feedback' | 'comments' | 'unfinished';
const keyOf = ({ run_id, tree }: Pack, part: Part) => `review.${run_id}.${tree}.${part}`;
const NONE: readonly Comment[] = [];

export const useFeedback = (pack: Pack) => useDraft(keyOf(pack, 'feedback'), '');

export function useCommenting(pack: Pack): Commenting {
  const key = keyOf(pack, 'unfinished');
  const [comments, write] = useDraft(keyOf(pack, 'comments'), NONE);
  const keep = useCallback(
    (comment: Comment) => {
      const others = without(readDraft(key, NONE), comment);
      writeDraft(key, comment.comment.trim() === '' ? others : [...others, comment]);
    },
    [key],
  );
  return useMemo(
    () => ({
      sides: ['old', 'new'],
      comments,
      put(...added) {
        for (const comment of added) keep({ ...comment, comment: '' });
        write([...added.reduce(without, comments), ...added]);
      },
      remove: place => write(without(comments, place)),
      unfinished: file => readDraft(key, NONE).find(one => one.file === file),
      keep,
    }),
    [comments, write, keep, key],
  );
}

/** Comments that were sent, and can no longer be changed. */
export const sentComments = (comments: readonly Comment[]): Commenting => ({
  sides: [],
  comments,
  put() {},
  remove() {},
  unfinished: () => undefined,
  keep() {},
});

/** Reads the draft for a pack, including comments that were typed but not added. */
export function readReviewDraft(pack: Pack): { feedback: string; comments: Comment[] } {
  const unfinished = readDraft(keyOf(pack, 'unfinished'), NONE);
  const added = readDraft(keyOf(pack, 'comments'), NONE);
  return {
    feedback: readDraft(keyOf(pack, 'feedback'), '').trim(),
    comments: [...added.filter(one => !unfinished.some(other => isSamePlace(one, other))), ...unfinished],
  };
}

/** The number of unsent texts about a pack: comments, and the feedback unless it is empty. */
export function unsentTexts(pack: Pack): number {
  const { feedback, comments } = readReviewDraft(pack);
  return comments.length + (feedback === '' ? 0 : 1);
}

/** The trees of the run's packs for which there is unsent text. */
export const treesWithDrafts = (run_id: string): string[] => [
  ...new Set(
    draftKeys(`review.${run_id}.`)
      .map(key => key.split('.')[2]!)
      .filter(tree => unsentTexts({ run_id, tree }) > 0),
  ),
];

export function discardReviewDraft(pack: Pack): void {
  for (const part of ['feedback', 'comments', 'unfinished'] as const) dropDraft(keyOf(pack, part));
}
