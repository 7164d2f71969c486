/** Keyboard shortcuts, which are ignored while a field has the focus. `g` and a letter opens a page. */
import { useEffect } from 'react';

const inField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

export function useKeys(keys: Readonly<Record<string, () => void>>): void {
  useEffect(() => {
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

/** Ctrl+Enter or Command+Enter in any field submits the form, unless its button is disabled. */
export const sendsForm = (event: React.KeyboardEvent<HTMLFormElement>): void => {
  if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
    event.preventDefault();
    event.currentTarget.querySelector<HTMLButtonElement>('button[type=submit]')?.click();
  }
};
