/** Keeps a draft in this browser until it is sent or discarded, so that it survives a reload. */
import { useCallback, useEffect, useState } from 'react';
import { showToast } from '../parts/toast.tsx';
import { pageWords } from '../preferences.ts';

const name = (key: string) => `dure.draft.${key}`;
/** Drafts for which the browser has no space. They are lost on a reload. */
const unstored = new Map<string, string>();

export function readDraft<T>(key: string, empty: T): T {
  const kept = unstored.get(key) ?? localStorage.getItem(name(key));
  if (kept === null) return empty;
  try {
    return JSON.parse(kept) as T;
  } catch {
    return empty;
  }
}

export function writeDraft(key: string, draft: unknown): void {
  const text = JSON.stringify(draft);
  try {
    localStorage.setItem(name(key), text);
    unstored.delete(key);
  } catch {
    if (!unstored.has(key)) showToast(pageWords().state.draftNotStored);
    unstored.set(key, text);
  }
}
export const draftKeys = (start: string): string[] =>
  Object.keys(localStorage)
    .filter(key => key.startsWith(name('')))
    .map(key => key.slice(name('').length))
    .concat(...unstored.keys())
    .filter(key => key.startsWith(start));
export function dropDraft(key: string): void {
  unstored.delete(key);
  localStorage.removeItem(name(key));
}

export function useDraft<T>(
  key: string,
  empty: T,
): [draft: T, write: (next: T) => void, discard: () => void] {
  const [state, setState] = useState(() => ({ key, draft: readDraft(key, empty) }));
  const draft = state.key === key ? state.draft : readDraft(key, empty);
  useEffect(
    () => setState(now => (now.key === key ? now : { key, draft: readDraft(key, empty) })),
    [key, empty],
  );
  const write = useCallback(
    (next: T) => {
      writeDraft(key, next);
      setState({ key, draft: next });
    },
    [key],
  );
  const discard = useCallback(() => {
    dropDraft(key);
    setState({ key, draft: empty });
  }, [key, empty]);
  return [draft, write, discard];
}
