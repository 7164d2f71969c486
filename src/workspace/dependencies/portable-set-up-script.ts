/**
 * Converts the set-up command to a shell script for environments without Dure. Python commands are replaced by the
 * programs that Dure runs instead, so the script succeeds without a package index wherever Dure's own set-up does. This
 * module is pure.
 */

import { changesShell, joinWords, type Part, partsOf, quoteWord } from '../../formats/text/shell-words.ts';
import { managerVariables, PLAIN_VARIABLES } from './install-environment.ts';
import { committedYarnRelease, yarnWrapperScript } from './node/yarn-wrapper-script.ts';
import { pipRequest } from './python/parse-pip-commands.ts';
import { addProject, installRequirements } from './python/venv-creation-scripts.ts';
import { installCommandOf, withoutNpx } from './recognize-install-commands.ts';

/** Returns a script to run in the working directory of the set-up. It exits at the first failure. */
export function setUpScript(command: string): string {
  return ['set -e', ...exported(PLAIN_VARIABLES), ...linesOf(partsOf(command)), ''].join('\n');
}

/**
 * Returns lines to insert before the script of `setUpScript`. They install the package managers that npx would download
 * and put them on PATH, because tests may call them.
 */
export function toolsScript(command: string): string {
  const words = partsOf(command).map(part => part.words ?? []);
  const fetched = [...new Set(words.flatMap(each => withoutNpx(each).tool ?? []))];
  const [release] = words.flatMap(each => committedYarnRelease(each) ?? []);
  const lines = [
    ...(fetched.length > 0
      ? [`npm install --prefix "$tools" --no-package-lock ${fetched.map(quoteWord).join(' ')} >&2`]
      : []),
    ...(release === undefined
      ? []
      : [
          'mkdir -p "$tools/node_modules/.bin"',
          `printf %s ${quoteWord(yarnWrapperScript(release))} > "$tools/node_modules/.bin/yarn"`,
          'chmod +x "$tools/node_modules/.bin/yarn"',
        ]),
  ];
  const provided =
    lines.length > 0
      ? ['tools="$(mktemp -d)"', ...lines, 'export PATH="$tools/node_modules/.bin:$PATH"']
      : [];
  return [...exported(managerVariables(command)), ...provided].map(line => `${line}\n`).join('');
}

const exported = (variables: Readonly<Record<string, string>>): string[] =>
  Object.entries(variables).map(([name, value]) => `export ${name}=${quoteWord(value)}`);

function linesOf(parts: readonly Part[]): string[] {
  const before = parts.findIndex(part => changesShell(part) || isPython(part));
  if (before < 0 || changesShell(parts[before]!)) return [inNewShell(parts)];
  const after = parts.slice(before);
  const end = after.findIndex(part => !isPython(part));
  const python = end < 0 ? after : after.slice(0, end);
  return [
    ...(before > 0 ? [inNewShell(parts.slice(0, before))] : []),
    ...ofPython(python),
    ...(end < 0 ? [] : linesOf(after.slice(end))),
  ];
}

const isPython = ({ words }: Part): boolean =>
  words !== null && installCommandOf(words, false)?.family === 'python';

const inNewShell = (parts: readonly Part[]): string =>
  `sh -c ${quoteWord(parts.map(withoutFetching).join(' && '))}`;

function withoutFetching({ text, words }: Part): string {
  const { tool, rest } = withoutNpx(words ?? []);
  return tool === null ? text : joinWords(rest);
}

function ofPython(parts: readonly Part[]): string[] {
  const request = pipRequest(parts.map(({ words }) => words ?? []));
  if (request === null) return [inNewShell(parts)];
  return [installRequirements(request), addProject('"$PWD"', request)];
}
