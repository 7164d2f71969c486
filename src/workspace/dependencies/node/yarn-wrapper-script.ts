/**
 * Provides a `yarn` program for projects that commit a Yarn release (`yarnPath`), because scripts and tests
 * call `yarn`. The program runs the release in the tree from which it is called. This module is pure.
 */
import { quoteWord } from '../../../formats/text/shell-words.ts';

/**
 * Returns the committed Yarn release that a command runs, as in `node .yarn/releases/yarn-4.4.1.cjs install`; null for
 * any other command.
 */
export const committedYarnRelease = ([program = '', release = '']: readonly string[]): string | null =>
  program === 'node' && /(^|\/)yarn[^/]*\.c?js$/.test(release) ? release : null;

export const yarnWrapperScript = (release: string): string => `#!/bin/sh
top="$PWD"
until [ -f "$top"/${quoteWord(release)} ] || [ "$top" = / ]; do top="$(dirname "$top")"; done
exec node "$top"/${quoteWord(release)} "$@"
`;
