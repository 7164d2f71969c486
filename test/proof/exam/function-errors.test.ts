import { expect, test } from 'vitest';
import { functionsIn } from '../../../src/proof/exam/faults/empty-declarations.ts';
import type { FunctionErrors } from '../../../src/proof/exam/syntax/function-errors.ts';
import { languageOfFile } from '../../../src/proof/exam/syntax/languages.ts';
import { edited } from '../../../src/proof/exam/syntax/text-edits.ts';

function withErrors(how: keyof FunctionErrors, path: string, code: string): string {
  const { parser, errors } = languageOfFile(path)!.grammar!;
  const edits = functionsIn(parser.parse(code), code).flatMap(({ node }) => errors![how](node, code));
  return edited(code, edits);
}

const evaluated = (code: string) => new Function(code)();

const SCRIPT = `
class Box {
  constructor(n) { this.n = n; }
  half() { if (this.n > 1) return this.n / 2; return this.n.missing.value; }
  async later() { return await Promise.reject(new Error('a')); }
  *all() { yield 1; throw new Error('b'); }
}
const rejected = () => Promise.reject(new Error('c'));
function check(f) { const g = () => { return f(); }; return g(); }
return { Box, rejected, check };`;

test('in JavaScript, functions can be made to return instead of raising errors, except for failed assertions', async () => {
  const { Box, rejected, check } = evaluated(withErrors('hidden', 'a.js', SCRIPT));
  expect([new Box(3).half(), new Box(1).half(), [...new Box(1).all()]]).toEqual([1.5, undefined, [1]]);
  expect([await new Box(1).later(), await rejected()]).toEqual([undefined, undefined]);
  expect(check(() => 1)).toBe(1);
  const failed = () => {
    throw Object.assign(new Error('d'), { name: 'AssertionError' });
  };
  expect(() => check(failed)).toThrow('d');
});

test('in JavaScript, every function can be made to raise an error', () => {
  const { rejected, check } = evaluated(withErrors('raised', 'a.js', SCRIPT));
  for (const each of [rejected, check]) expect(() => each(() => 1)).toThrow('Dure made this function fail');
});

const PYTHON = `class Box:
    @property
    def half(self):
        """A half."""
        return 1 / 0

async def later(): return 1
`;

test('in Python, functions can be given a statement that raises an error, or a decorator that hides errors', () => {
  const raised = (kind: string) => `raise ${kind}('Dure made this function fail')`;
  const ended = raised("type('Ended', (SystemExit, RuntimeError), {})");
  expect(withErrors('raised', 'a.py', PYTHON)).toBe(
    PYTHON.replace('"""A', `${ended}\n        """A`).replace(
      'return 1\n',
      `${raised('RuntimeError')}; return 1\n`,
    ),
  );
  expect(withErrors('hidden', 'a.py', PYTHON).replace(/@eval\(.*\)/g, '@hide')).toBe(
    PYTHON.replace('def half', '@hide\n    def half').replace('async', '@hide\nasync'),
  );
});
