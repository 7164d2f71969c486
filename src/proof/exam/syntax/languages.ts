/**
 * The languages that the exam knows. With a grammar, it can compare and break code by its structure; with
 * only a comment marker, it can revert changed lines. Files in languages that are not listed here do not count
 * as code.
 */

import type { Tree } from '@lezer/common';
import { parser as go } from '@lezer/go';
import { parser as javascript } from '@lezer/javascript';
import { parser as python } from '@lezer/python';
import { JAVASCRIPT_VALUES, TYPESCRIPT_VALUES } from '../faults/javascript-value-changes.ts';
import { PYTHON_VALUES } from '../faults/python-value-changes.ts';
import type { ValueChanges } from '../faults/value-changes.ts';
import { type FunctionErrors, PYTHON_ERRORS, SCRIPT_ERRORS } from './function-errors.ts';
import { withFirstLine } from './text-edits.ts';

export interface CodeLanguage {
  /** Starts a comment that ends at the end of the line; null if comments cannot be written line by line. */
  readonly comment: string | null;
  readonly grammar: Grammar | null;
}

/** A statement without effect that contains a string. */
export interface StringStatement {
  /** Quotes in which text needs no escapes, unless it contains the quote itself or a backslash. */
  readonly quotes: readonly string[];
  code(literal: string, text: string): string;
}

export interface Grammar {
  readonly parser: { parse(text: string): Tree };
  /** A line of code that has no effect when it is added at the end of a file; null if there is none. */
  readonly idle: string | null;
  /** Null if the language has no statement that has no effect and contains a string. */
  readonly stringStatement: StringStatement | null;
  /** Wraps the code in a statement that never runs it; null if the language has no such statement. */
  readonly unreachable: ((code: string) => string) | null;
  /** Code that makes a file fail when it is loaded, and where to insert it. */
  readonly fail: { readonly code: string; readonly at: 'start' | 'end' };
  /** Whether blocks are marked by indentation. */
  readonly indented: boolean;
  /** Added to a condition to make it always false, or always true. */
  readonly conditions: { readonly never: string; readonly always: string };
  /** Null if the code for a different value depends on the type of the value. */
  readonly values: ValueChanges | null;
  /** Null if a function that fails ends the process of the tests. */
  readonly errors: FunctionErrors | null;
}

/** Makes a file fail when it is loaded. */
export const failingText = (text: string, { fail: { code, at } }: Grammar): string =>
  at === 'start' ? withFirstLine(text, code) : `${text}\n${code}\n`;

const withGrammar = (comment: string, grammar: Grammar): CodeLanguage => ({ comment, grammar });
const withComment = (comment: string | null): CodeLanguage => ({ comment, grammar: null });

const SCRIPT_STRING: StringStatement = {
  quotes: ["'", '"'],
  // Bundlers keep comments of this form, and may remove the string.
  code: (literal, text) => `/*! ${text.replaceAll('*/', '* /')} */ ${literal};`,
};

const OPERATORS = { never: '&& false', always: '|| true' };

const script = (dialect: string, stringStatement: StringStatement | null = SCRIPT_STRING) =>
  withGrammar('//', {
    parser: javascript.configure({ dialect }),
    idle: stringStatement && ';',
    stringStatement,
    unreachable: stringStatement && (code => `void (async () => {\n${code}\n});\n`),
    // The condition keeps compilers from reporting that the code below is unreachable.
    fail: { code: "if (Date.now() > 0) throw new Error('the file was loaded');", at: 'start' },
    indented: false,
    conditions: OPERATORS,
    values: dialect.includes('ts') ? TYPESCRIPT_VALUES : JAVASCRIPT_VALUES,
    errors: SCRIPT_ERRORS,
  });

const PYTHON = withGrammar('#', {
  parser: python,
  idle: 'None',
  stringStatement: { quotes: ["'", '"'], code: literal => literal },
  unreachable: code => `if False:\n    None\n${code.replace(/^(?=.*\S)/gm, '    ')}\n`,
  fail: { code: "raise RuntimeError('the file was loaded')", at: 'start' },
  indented: true,
  conditions: { never: 'and False', always: 'or True' },
  values: PYTHON_VALUES,
  errors: PYTHON_ERRORS,
});

/** Go's grammar does not end a statement after these words at a line end, so they are parsed as names there. */
const GO_BOOL_AT_END = /\b(?:true|false)(?=[ \t\r]*(?:\/\/.*)?$)/gm;

const GO = withGrammar('//', {
  parser: { parse: text => go.parse(text.replace(GO_BOOL_AT_END, bool => bool.toUpperCase())) },
  idle: 'var _ = 0',
  stringStatement: { quotes: ['"', '`'], code: literal => `var _ = ${literal}` },
  // A function cannot be declared inside another one.
  unreachable: null,
  fail: { code: 'func init() { panic("the file was loaded") }', at: 'end' },
  indented: false,
  conditions: OPERATORS,
  values: null,
  errors: null,
});

const EXTENSIONS: readonly (readonly [RegExp, CodeLanguage])[] = [
  [/\.[cm]?jsx?$/, script('jsx')],
  // A file that only declares types cannot contain a statement.
  [/\.d\.[cm]?ts$/, script('ts', null)],
  [/\.[cm]?ts$/, script('ts')],
  [/\.tsx$/, script('ts jsx')],
  [/\.pyi?$/, PYTHON],
  [/\.go$/, GO],
  [/\.(?:rs|java|kts?|scala|groovy|c|h|cc|cpp|cxx|hpp|cs|swift|dart|php|zig)$/, withComment('//')],
  [/\.(?:rb|ex|exs|sh|bash|pl|pm|r|jl|nim|cr)$/i, withComment('#')],
  [/\.(?:lua|hs|elm)$/, withComment('--')],
  [/\.(?:vue|svelte|astro)$/, withComment(null)],
];

export const languageOfFile = (path: string): CodeLanguage | null =>
  EXTENSIONS.find(([ending]) => ending.test(path))?.[1] ?? null;

const INTERPRETERS: readonly (readonly [RegExp, string])[] = [
  [/\b(?:node|bun)\b/, 'a.js'],
  [/\b(?:deno|tsx|ts-node)\b/, 'a.ts'],
  [/\bpython[\d.]*\b/, 'a.py'],
  [/\b(?:ba|da|k|z)?sh\b/, 'a.sh'],
  [/\bruby\b/, 'a.rb'],
  [/\bperl\b/, 'a.pl'],
];

/** The language of a script without a file extension, from the interpreter in its first line; null if unknown. */
export function languageOfScript(text: string): CodeLanguage | null {
  const [, program] = /^#!(.*)/.exec(text) ?? [];
  if (program === undefined) return null;
  const [, path] = INTERPRETERS.find(([name]) => name.test(program)) ?? [];
  return path === undefined ? null : languageOfFile(path);
}
