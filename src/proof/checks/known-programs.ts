/** Recognizes test runners, linters and type checkers by their command line. This module is pure. */

export type Runner =
  | 'vitest'
  | 'jest'
  | 'mocha'
  | 'ava'
  | 'tap'
  | 'node'
  | 'bun'
  | 'pytest'
  | 'go'
  | 'cargo'
  | 'other';

const NAMED: Readonly<Record<string, Runner>> = {
  vitest: 'vitest',
  jest: 'jest',
  mocha: 'mocha',
  _mocha: 'mocha',
  ava: 'ava',
  tap: 'tap',
  pytest: 'pytest',
  ...Object.fromEntries(
    ['tape', 'uvu', 'jasmine', 'karma', 'borp', 'bnt', 'qunit', 'tox', 'nox', 'playwright'].map(
      name => [name, 'other'] as const,
    ),
  ),
};

/** `other` is a test runner for which Dure cannot request a report. */
export function runnerOf(words: readonly string[]): Runner | null {
  const [path = '', ...rest] = words;
  const name = nameOf(path);
  const named = NAMED[name];
  if (named) return named === 'vitest' && rest[0] === 'bench' ? null : named;
  if (name === 'react-scripts' && rest.includes('test')) return 'jest';
  if (name === 'node' || name === 'tsx') return ofNode(rest);
  if (/^python[\d.]*$/.test(name))
    return rest[0] === '-m' ? (NAMED[rest[1] ?? ''] ?? (rest[1] === 'unittest' ? 'other' : null)) : null;
  if (/^(?:uv|poetry|pdm|hatch|pipenv)$/.test(name) && rest[0] === 'run')
    return runnerOf(rest.slice(rest.findIndex((word, n) => n > 0 && !word.startsWith('-'))));
  if (name === 'go' || name === 'cargo' || name === 'bun') return rest[0] === 'test' ? name : null;
  return null;
}

const nameOf = (path: string): string => path.replace(/^.*\//, '').replace(/\.(?:[cm]?js|cmd)$/, '');

/** Node options whose value is the next word. */
const VALUED = /^(?:-C|-r|--(?:conditions|require|import|loader|experimental-loader|env-file))$/;

/** Recognizes `node --test`, a runner started by the path of its script, and a script with a name such as `test.js`. */
function ofNode(words: readonly string[]): Runner | null {
  if (words.includes('--test')) return 'node';
  const script = words.find((word, n) => !word.startsWith('-') && !VALUED.test(words[n - 1] ?? ''));
  if (script === undefined) return null;
  const named = /node_modules\/(?:\.bin\/)?/.test(script) ? NAMED[nameOf(script)] : undefined;
  return named ?? (/(?:^|[/.-])(?:tests?|spec)(?:[/.-]|$)/.test(script) ? 'other' : null);
}

const LINTERS =
  /^(?:eslint|xo|standard|ts-standard|semistandard|oxlint|tslint|stylelint|markdownlint(?:-cli2)?|ls-lint|ruff|flake8|pylint|golangci-lint|knip|publint|jshint|dprint|prettier|biome|rome|remark|cspell)$/;
const TYPE_CHECKERS = /^(?:tsc|vue-tsc|tsgo|tsd|tstyche|dtslint|attw|mypy|pyright|basedpyright|flow)$/;

export type Purpose = 'test' | 'lint' | 'types';

/** Determines a program's purpose; null for a build and everything else. */
export function purposeOf(words: readonly string[]): Purpose | null {
  if (runnerOf(words) !== null) return 'test';
  const [path = '', ...rest] = words;
  const name = nameOf(path);
  if (LINTERS.test(name) || (name === 'go' && rest[0] === 'vet')) return 'lint';
  if (!TYPE_CHECKERS.test(name)) return null;
  // Running a compiler that writes files counts as a build.
  return name !== 'tsc' || rest.includes('--noEmit') ? 'types' : null;
}
