/** Keeps a draft in this browser until it is sent or discarded, so that it survives a reload. */
import { useCallback, useEffect, useState } from 'react';

const name = (key: string) => `dure.draft.${key}`;

function read<T>(key: string, empty: T): T {
  const kept = localStorage.getItem(name(key));
  if (kept === null) return empty;
  try {
    return JSON.parse(kept) as T;
  } catch {
    return empty;
  }
}

export function useDraft<T>(
  key: string,
  empty: T,
): [draft: T, write: (next: T) => void, discard: () => void] {
  const [state, setState] = useState(() => ({ key, draft: read(key, empty) }));
  const draft = state.key === key ? state.draft : read(key, empty);
  useEffect(() => setState(now => (now.key === key ? now : { key, draft: read(key, empty) })), [key, empty]);
  const write = useCallback(
    (next: T) => {
      localStorage.setItem(name(key), JSON.stringify(next));
      setState({ key, draft: next });
    },
    [key],
  );
  const discard = useCallback(() => {
    localStorage.removeItem(name(key));
    setState({ key, draft: empty });
  }, [key, empty]);
  return [draft, write, discard];
}
