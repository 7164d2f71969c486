/** Keys that work everywhere but in fields. `g` and a letter goes to a page. */
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

/** Ctrl or Command with Enter sends a form, from whichever of its fields, unless its button is out of use. */
export const sendsForm = (event: React.KeyboardEvent<HTMLFormElement>): void => {
  if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
    event.preventDefault();
    event.currentTarget.querySelector<HTMLButtonElement>('button[type=submit]')?.click();
  }
};
