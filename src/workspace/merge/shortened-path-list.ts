/** Lists the first ten paths for a message, and counts the others. */
export const firstPaths = (paths: readonly string[]): string =>
  paths.slice(0, 10).join(', ') + (paths.length > 10 ? `, and ${paths.length - 10} more` : '');
