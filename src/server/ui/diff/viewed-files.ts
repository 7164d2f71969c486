/**
 * Stores in this browser which files of a run the user has marked as viewed. A mark applies to the two
 * versions that were compared, so it survives a new pack in which both are the same.
 */
import { useCallback, useState } from 'react';
import { readDraft, writeDraft } from '../hooks/use-draft.ts';
import type { PatchFile } from './parse-patch.ts';

const markOf = (file: PatchFile): string => `${file.path} ${file.version}`;

export function useViewedFiles(runId: string) {
  const key = `viewed.${runId}`;
  const [marks, setMarks] = useState(() => new Set(readDraft<string[]>(key, [])));
  const setViewed = useCallback(
    (file: PatchFile, isViewed: boolean) =>
      setMarks(now => {
        const next = new Set(now);
        if (isViewed) next.add(markOf(file));
        else next.delete(markOf(file));
        writeDraft(key, [...next]);
        return next;
      }),
    [key],
  );
  return { isViewed: (file: PatchFile) => marks.has(markOf(file)), setViewed };
}
