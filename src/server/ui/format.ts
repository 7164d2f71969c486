/** Formats numbers, times and costs. */
import { money } from '../../words/format-amounts.ts';
import type { Words } from '../../words/pages/en.ts';

/** An unknown cost is shown as unknown rather than zero; an incomplete sum is shown as a lower bound. */
export function formatCost(w: Words, amount: number, complete: boolean): string {
  if (complete) return money(amount);
  return amount > 0 ? w.cost.atLeast(money(amount)) : w.cost.unknown;
}

export function formatDuration(w: Words, ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 60) return w.time.seconds(seconds);
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${w.time.minutes(minutes)} ${w.time.seconds(seconds % 60)}`;
  const hours = Math.floor(minutes / 60);
  return hours < 48
    ? `${w.time.hours(hours)} ${w.time.minutes(minutes % 60)}`
    : `${w.time.days(Math.floor(hours / 24))} ${w.time.hours(hours % 24)}`;
}

export function ago(w: Words, at: string, now: number): string {
  const minutes = Math.floor((now - Date.parse(at)) / 60_000);
  if (minutes < 1) return w.time.justNow;
  if (minutes < 60) return w.time.minutesAgo(minutes);
  if (minutes < 48 * 60) return w.time.hoursAgo(Math.floor(minutes / 60));
  return w.time.daysAgo(Math.floor(minutes / 1440));
}

export function bytes(count: number): string {
  const units = ['B', 'kB', 'MB', 'GB'];
  const power = Math.min(Math.floor(Math.log10(Math.max(count, 1)) / 3), units.length - 1);
  return `${(count / 1000 ** power).toFixed(power === 0 ? 0 : 1)} ${units[power]}`;
}

export const compact = (count: number): string =>
  count < 10_000
    ? String(count)
    : count < 1e6
      ? `${Math.round(count / 1000)}k`
      : `${(count / 1e6).toFixed(1)}M`;

export const short = (id: string): string => id.slice(0, 10);

/** The browser's locale if it matches the page language; otherwise, the page language. */
const locale = (): string | undefined => {
  const { lang } = document.documentElement;
  return navigator.language.startsWith(lang) ? undefined : lang;
};
export const formatClock = (at: string): string =>
  new Date(at).toLocaleTimeString(locale(), {
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hour12: false,
  });
export const formatTime = (at: string): string =>
  new Date(at).toLocaleString(locale(), { dateStyle: 'medium', timeStyle: 'short' });
