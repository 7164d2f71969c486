/** Regular expressions for literal text and for patterns with wildcards. */

/** The source of a regular expression that matches exactly this text. */
export const escapeRegExp = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** `*` matches any characters except the separator, `?` matches one such character, `**` matches any characters. */
export function globPattern(glob: string, separator: '/' | ':'): RegExp {
  const wildcards = new Map([
    ['**', '.*'],
    ['*', `[^${separator}]*`],
    ['?', `[^${separator}]`],
  ]);
  const parts = glob.split(/(\*\*|\*|\?)/).map(part => wildcards.get(part) ?? escapeRegExp(part));
  return new RegExp(`^${parts.join('')}$`);
}

/** Expands `{a,b}/c` to `a/c` and `b/c`. */
export function braceAlternatives(glob: string): string[] {
  const braces = /\{([^{}]*)\}/.exec(glob);
  if (!braces) return [glob];
  const [whole, inner] = braces;
  return inner!.split(',').flatMap(one => braceAlternatives(glob.replace(whole, () => one)));
}
