/** A short message at the bottom of the page. Screen readers announce it once; it disappears after a few seconds. */
import { createStore } from '../create-store.ts';

const SHOWN_MS = 5000;
const shown = createStore('');
let timer: ReturnType<typeof setTimeout> | undefined;

export function showToast(text: string): void {
  clearTimeout(timer);
  shown.set(text);
  timer = setTimeout(() => shown.set(''), SHOWN_MS);
}

export const showError = (error: unknown): void =>
  showToast(String(error instanceof Error ? error.message : error));

export function Toast() {
  return (
    <div className="said" role="status">
      {shown.use()}
    </div>
  );
}
