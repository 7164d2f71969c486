/**
 * Recognizes builds in a set-up command. Unlike installation, a build may be optional for the tests. This module is
 * pure.
 */

import { type Part, partsOf } from '../../formats/text/shell-words.ts';
import { withoutNpx } from './recognize-install-commands.ts';

/**
 * Whether a command runs the script `build`, as in `npm run build`, `pnpm -r --if-present run build` or
 * `node .yarn/releases/yarn.cjs workspaces foreach -At run build`.
 */
export function isBuild({ words }: Part): boolean {
  const { rest } = withoutNpx(words ?? []);
  return /^(npm|pnpm|yarn|bun|node)$/.test(rest[0] ?? '') && rest[rest.indexOf('run') + 1] === 'build';
}

const BUILDS =
  /(?:^|[\s/:=-])(?:build|compile|transpile|bundle|dist|tsc|tsup|webpack|rollup|esbuild|babel|swc|vite|parcel|turbo|make|cmake|ninja|gradlew?|mvn|maturin|build_ext|codegen|generate)(?=$|[\s:=.-])/;
const INSTALLS =
  /(?:^|[\s:])(?:ci|i|add|get|install|sync|fetch|download|restore|update|upgrade|deps|dependencies|bootstrap)(?=$|[\s:;&|)])/;

/** Matches a command that generates files from a schema instead of from code. */
const FROM_SCHEMA = /\bprisma\b/;

/**
 * Whether a command generates files from the sources, such as `npx tsc`, `yarn compile`, `make`, `go generate`. Unlike
 * a build that `isBuild` recognizes, such a command may be required by the tests.
 */
export const compiles = ({ text }: Part): boolean =>
  BUILDS.test(text) && !INSTALLS.test(text) && !FROM_SCHEMA.test(text);

/** Removes the given parts from the command; null if nothing is left. */
export function withoutParts(command: string, texts: readonly string[]): string | null {
  const left = partsOf(command).filter(({ text }) => !texts.includes(text));
  return left.length > 0 ? left.map(({ text }) => text).join(' && ') : null;
}
