/**
 * Keyboard shortcuts. They are ignored while a field has the focus. `g` followed by a letter opens a page.
 */
import { useLayoutEffect } from 'react';

const inField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

/** A layout effect, so that the keys work from the first paint on: `useEffect` would run after it. */
export function useKeys(keys: Readonly<Record<string, () => void>>): void {
  useLayoutEffect(() => {
    let before = '';
    const pressed = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || inField(event.target)) return;
      if (document.querySelector('dialog[open]')) return;
      const action = keys[before === '' ? event.key : `${before} ${event.key}`] ?? keys[event.key];
      before = event.key === 'g' ? 'g' : '';
      if (!action) return;
      event.preventDefault();
      action();
    };
    addEventListener('keydown', pressed);
    return () => removeEventListener('keydown', pressed);
  }, [keys]);
}

/** `j` and `k` move the focus to the next and the previous element that matches `selector`. */
export function listKeys(selector: string): Record<'j' | 'k', () => void> {
  const step = (by: number) => () => {
    const all = [...document.querySelectorAll<HTMLElement>(selector)];
    const at = all.indexOf(document.activeElement as HTMLElement);
    all[Math.min(Math.max(at + by, 0), all.length - 1)]?.focus();
  };
  return { j: step(1), k: step(-1) };
}

/** Ctrl+Enter or Command+Enter in any field submits the form or dialog, unless its button is disabled. */
export const sendsForm = (event: React.KeyboardEvent<HTMLElement>): void => {
  if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
    event.preventDefault();
    event.currentTarget.querySelector<HTMLButtonElement>('button[type=submit]')?.click();
  }
};
