/** A short message at the bottom of the page. Screen readers announce it once; it disappears after a few seconds. */
import { useSyncExternalStore } from 'react';

const SHOWN_MS = 5000;
let words = '';
let timer: ReturnType<typeof setTimeout> | undefined;
const watchers = new Set<() => void>();
const setText = (next: string) => {
  words = next;
  for (const tell of watchers) tell();
};

export function showToast(text: string): void {
  clearTimeout(timer);
  setText(text);
  timer = setTimeout(() => setText(''), SHOWN_MS);
}

export function Toast() {
  const text = useSyncExternalStore(
    tell => {
      watchers.add(tell);
      return () => watchers.delete(tell);
    },
    () => words,
  );
  return (
    <div className="said" role="status">
      {text}
    </div>
  );
}
