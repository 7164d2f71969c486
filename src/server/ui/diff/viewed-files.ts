/**
 * Stores in this browser which files of a run the user has marked as viewed. A mark applies to the two
 * versions that were compared, so it survives a new pack in which both are the same.
 */
import { useCallback } from 'react';
import { readDraft, useDraft } from '../hooks/use-draft.ts';
import type { PatchFile } from './parse-patch.ts';

const markOf = (file: PatchFile): string => `${file.path} ${file.version}`;
const NONE: readonly string[] = [];

export function useViewedFiles(runId: string) {
  const key = `viewed.${runId}`;
  const [marks, write] = useDraft(key, NONE);
  const setViewed = useCallback(
    (file: PatchFile, isViewed: boolean) => {
      const others = readDraft(key, NONE).filter(mark => mark !== markOf(file));
      write(isViewed ? [...others, markOf(file)] : others);
    },
    [key, write],
  );
  const viewed = new Set(marks);
  return { isViewed: (file: PatchFile) => viewed.has(markOf(file)), setViewed };
}
