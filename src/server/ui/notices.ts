/** Notices of the desktop: only after the person has rung the bell, each once whatever the number of tabs. */
import { useSyncExternalStore } from 'react';
import type { BrowserNotice } from '../protocol.ts';

const WANTED = 'dure.notices';
const SHOWN = 'dure.notices.shown';
const REMEMBERED = 100;
const HEARD_MS = 10_000;
const watchers = new Set<() => void>();
const tell = () => {
  for (const watcher of watchers) watcher();
};

export type Bell = 'on' | 'off' | 'refused';
function bell(): Bell {
  if (!('Notification' in window) || Notification.permission === 'denied') return 'refused';
  return Notification.permission === 'granted' && localStorage.getItem(WANTED) === 'yes' ? 'on' : 'off';
}
export const useBell = (): Bell =>
  useSyncExternalStore(watcher => {
    watchers.add(watcher);
    return () => watchers.delete(watcher);
  }, bell);

export async function ring(): Promise<Bell> {
  if (bell() === 'on') localStorage.removeItem(WANTED);
  else if (bell() === 'off' && (await Notification.requestPermission()) === 'granted')
    localStorage.setItem(WANTED, 'yes');
  tell();
  return bell();
}

export function notify(notice: BrowserNotice, open: (page: string) => void): void {
  if (bell() !== 'on') return;
  void once(notice.id, () => {
    const shown = new Notification('Dure', { body: notice.text, tag: notice.id });
    shown.onclick = () => {
      window.focus();
      open(notice.page);
      shown.close();
    };
  });
}

/**
 * Tabs hear of a notice at the same time, and what one writes to the storage the next may read too late: whoever has
 * the lock of the notice shows it, and keeps the lock until the others have heard.
 */
const once = (id: string, show: () => void): Promise<void> =>
  navigator.locks.request(`${SHOWN}.${id}`, { ifAvailable: true }, async lock => {
    if (!lock || shownBefore(id)) return;
    show();
    await new Promise(resolve => setTimeout(resolve, HEARD_MS));
  });

function shownBefore(id: string): boolean {
  const shown = (localStorage.getItem(SHOWN) ?? '').split(' ').filter(Boolean);
  if (shown.includes(id)) return true;
  localStorage.setItem(SHOWN, [...shown, id].slice(-REMEMBERED).join(' '));
  return false;
}
