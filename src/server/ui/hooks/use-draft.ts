/** Keeps a draft in this browser until it is sent or discarded, so that it survives a reload. */
import { useCallback, useEffect, useState } from 'react';

const name = (key: string) => `dure.draft.${key}`;

export function readDraft<T>(key: string, empty: T): T {
  const kept = localStorage.getItem(name(key));
  if (kept === null) return empty;
  try {
    return JSON.parse(kept) as T;
  } catch {
    return empty;
  }
}

export const writeDraft = (key: string, draft: unknown): void =>
  localStorage.setItem(name(key), JSON.stringify(draft));
export const draftKeys = (start: string): string[] =>
  Object.keys(localStorage)
    .filter(key => key.startsWith(name(start)))
    .map(key => key.slice(name('').length));
export const dropDraft = (key: string): void => localStorage.removeItem(name(key));

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
