/** Shows desktop notifications if the user has enabled them: each one only once, however many tabs are open. */
import type { BrowserNotification } from '../socket-protocol.ts';
import { createStore } from './create-store.ts';
import { pageWords } from './preferences.ts';

const WANTED = 'dure.notifications';
const SHOWN = 'dure.notifications.shown';
const MAX_REMEMBERED = 100;
const HOLD_LOCK_MS = 10_000;

export type NotificationState = 'on' | 'off' | 'refused';
function notificationState(): NotificationState {
  if (!('Notification' in window) || Notification.permission === 'denied') return 'refused';
  return Notification.permission === 'granted' && localStorage.getItem(WANTED) === 'yes' ? 'on' : 'off';
}
const shown = createStore(notificationState());
export const useNotifications = shown.use;
// Another tab may have switched notifications on or off.
addEventListener('storage', () => shown.set(notificationState()));

/** Turns notifications on, or off if they are on. Asks for the browser's permission if necessary. */
export async function enableNotifications(): Promise<NotificationState> {
  if (notificationState() === 'on') localStorage.removeItem(WANTED);
  else if (notificationState() === 'off' && (await Notification.requestPermission()) === 'granted')
    localStorage.setItem(WANTED, 'yes');
  shown.set(notificationState());
  return shown.now();
}

export function notify(notification: BrowserNotification, open: (page: string) => void): void {
  if (notificationState() !== 'on') return;
  void once(notification.id, () => {
    const shown = new Notification('Dure', {
      body: pageWords().event(notification.event),
      tag: notification.id,
    });
    shown.onclick = () => {
      window.focus();
      open(notification.page);
      shown.close();
    };
  });
}

/**
 * All tabs receive a notification at the same time, and a tab may not yet see what another tab has written to
 * localStorage. The tab that gets the lock shows the notification, and keeps the lock until the other tabs have
 * received it.
 */
const once = (id: string, show: () => void): Promise<void> =>
  navigator.locks.request(`${SHOWN}.${id}`, { ifAvailable: true }, async lock => {
    if (!lock || shownBefore(id)) return;
    show();
    await new Promise(resolve => setTimeout(resolve, HOLD_LOCK_MS));
  });

function shownBefore(id: string): boolean {
  const shown = (localStorage.getItem(SHOWN) ?? '').split(' ').filter(Boolean);
  if (shown.includes(id)) return true;
  localStorage.setItem(SHOWN, [...shown, id].slice(-MAX_REMEMBERED).join(' '));
  return false;
}
