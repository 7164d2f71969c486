/**
 * Derives commands from a test command: commands that run only some of its tests, and one with a time limit. A test
 * that ends the process keeps later tests in the same process from running, so nothing is known about them. Pure.
 */
import { testTitle } from '../core/policy/criteria/judge-criteria.ts';
import { singleQuoted } from '../formats/text/shell-words.ts';
import { escapeRegExp } from '../formats/text/text-patterns.ts';
import { withPythonTestTimeout } from './python-test-timeout.ts';

const MAX_FILES = 20;

/**
 * One command per file. Empty unless the command names between 2 and `MAX_FILES` of the files. Paths are relative to
 * the folder of the command.
 */
export function commandPerTestFile(command: string, files: readonly string[]): string[] {
  const parts = command.split(/(\s+)/);
  const isFile = (part: string) => files.includes(part.replace(/^\.\//, ''));
  const named = parts.filter(isFile);
  if (named.length < 2 || named.length > MAX_FILES) return [];
  return named.map(file =>
    parts
      .filter(part => part === file || !isFile(part))
      .join('')
      .trim(),
  );
}

const GO_TEST = /(?:^|&&\s*)(?:\w+=\S*\s+)*go\s+test\s(?!.*\s-args\b)(?:\\.|'[^']*'|[^'\\|&;<>()#])*$/;
const GO_TEST_ID = /^[^\s:]+::(Test[\p{L}\p{N}_]*)(?:\/|$)/u;

/**
 * The command for Go tests with these ids; null if the command does not end with `go test`, or if no id belongs to a
 * Go test.
 */
export function goCommandForTests(command: string, ids: readonly string[]): string | null {
  const names = new Set(ids.flatMap(id => GO_TEST_ID.exec(id)?.[1] ?? []));
  // If there are several `-run` options, go uses the last.
  return names.size > 0 && GO_TEST.test(command)
    ? `${command.trim()} -run '^(${[...names].join('|')})$'`
    : null;
}

const NODE_TEST =
  /((?:^|&&\s*)(?:\w+=\S*\s+)*node\s(?:[^|&;<>()#]*\s)?--test)(?=\s|$)((?:\\.|'[^']*'|[^'\\|&;<>()#])*)$/;
const NAME_PATTERN = /--test-(?:name|skip)-pattern/;

/**
 * The command for tests of node:test with these ids; null if there are no ids, or if the command does not end with
 * `node --test` or selects tests itself. Some versions of Node match the pattern against the title of a test, others
 * also against the titles of the groups around it, so the pattern is anchored only at the end.
 */
export function nodeCommandForTests(command: string, ids: readonly string[]): string | null {
  if (ids.length === 0 || !NODE_TEST.test(command) || NAME_PATTERN.test(command)) return null;
  const titles = new Set(ids.map(id => testTitle(id).split(' > ').at(-1)!));
  const options = [...titles].map(title => ` --test-name-pattern=${singleQuoted(`/${endsWith(title)}/`)}`);
  return command
    .trim()
    .replace(NODE_TEST, (_, start: string, rest: string) => start + options.join('') + rest);
}

/** A report replaces each sequence of whitespace with one space, and numbers tests with the same title. */
const endsWith = (title: string): string => {
  const literal = (text: string) => escapeRegExp(text).replaceAll(' ', '\\s+');
  const [number = ''] = / #\d+$/.exec(title) ?? [];
  const plain = literal(title.slice(0, title.length - number.length));
  return `(?:^|\\s)${plain}${number && `(?:${literal(number)})?`}$`;
};

/**
 * The command with a time limit for its tests, so that one test that waits forever cannot hide the rest; unchanged if
 * the command sets a limit, or if Dure cannot set one for it. Some versions of Node apply the limit to each file.
 */
export function withTestTimeout(command: string, ms: number): string {
  if (/-timeout\b/.test(command)) return command;
  if (GO_TEST.test(command)) return `${command.trim()} -timeout=${Math.ceil(ms / 1000)}s`;
  const limited = command
    .trim()
    .replace(NODE_TEST, (_, start: string, rest: string) => `${start} --test-timeout=${ms}${rest}`);
  return withPythonTestTimeout(limited, ms);
}
