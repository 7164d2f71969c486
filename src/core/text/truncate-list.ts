/**
 * Renders the start of a long list as text, followed by the number of items left out. Pass the length of the whole
 * list as `count` if `items` is only a part of it. Pure.
 */

/** `a, b and 3 more` */
export function truncatedInline(items: readonly string[], limit: number, count = items.length): string {
  const shown = items.slice(0, limit);
  return shown.join(', ') + (count > shown.length ? ` and ${count - shown.length} more` : '');
}

/** One Markdown bullet per item. */
export function truncatedBullets(items: readonly string[], limit: number, count = items.length): string[] {
  const shown = items.slice(0, limit).map(item => `- ${item}`);
  return count > shown.length ? [...shown, `- … and ${count - shown.length} more`] : shown;
}

/** Puts a blank line and a sentence before the bullets; returns nothing if there are no bullets. */
export const introduced = (sentence: string, bullets: readonly string[]): string[] =>
  bullets.length > 0 ? ['', sentence, '', ...bullets] : [];
