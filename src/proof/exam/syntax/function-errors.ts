/** Makes functions raise an error whenever they are called, or return instead of raising one. Pure. */
import type { SyntaxNode } from '@lezer/common';
import type { Edit } from './text-edits.ts';
import { childrenOf, nodesIn, withAncestors } from './tree-nodes.ts';

/** Both methods return no edits for a function that has no body. */
export interface FunctionErrors {
  /** The edits that make a function raise an error. */
  raised(of: SyntaxNode, code: string): Edit[];
  /**
   * The edits that make a function return nothing instead of raising an error, or 0 instead of ending a Python
   * program. Failed assertions are still raised: a test may pass a function that contains assertions.
   */
  hidden(of: SyntaxNode, code: string): Edit[];
}

const MESSAGE = 'Dure made this function fail';

const inserted = (at: number, text: string): Edit => ({ from: at, to: at, text });

const SCRIPT_FAILS = `throw new Error('${MESSAGE}');`;
const SCRIPT_HIDES = "if (/Assert/.test((e && e.name) || '')) throw e;";
/** A promise that the function returns may be rejected after the function has returned. */
const SCRIPT_RETURNS = `((v) => (v instanceof Promise ? v.catch((e) => { ${SCRIPT_HIDES} }) : v))`;

export const SCRIPT_ERRORS: FunctionErrors = {
  raised({ name, lastChild: body }) {
    if (body?.name === 'Block') return [inserted(body.from + 1, ` ${SCRIPT_FAILS}`)];
    return body && name === 'ArrowFunction'
      ? [{ from: body.from, to: body.to, text: `{ ${SCRIPT_FAILS} }` }]
      : [];
  },
  hidden(of, code) {
    const { name, lastChild: body } = of;
    const [before, after] = ['{ try {', `} catch (e) { ${SCRIPT_HIDES} } }`];
    if (body?.name === 'Block') {
      // A constructor cannot return without having called `super`.
      if (/^constructor\b/.test(code.slice(of.from, of.to))) return [];
      const returns = nodesIn(body, /^ReturnStatement$/).filter(each => functionOf(each)?.from === of.from);
      return [
        { from: body.from, to: body.from + 1, text: before },
        ...returns.flatMap(each => wrapped(childrenOf(each)[1])),
        { from: body.to - 1, to: body.to, text: after },
      ];
    }
    if (!body || name !== 'ArrowFunction') return [];
    const value = code.slice(body.from, body.to);
    return [{ from: body.from, to: body.to, text: `${before} return ${SCRIPT_RETURNS}(${value}); ${after}` }];
  },
};

const functionOf = (node: SyntaxNode): SyntaxNode | undefined =>
  withAncestors(node).find(({ name }) => /Function|^MethodDeclaration$/.test(name));

const wrapped = (value: SyntaxNode | undefined): Edit[] =>
  !value || value.name === ';' ? [] : [inserted(value.from, `${SCRIPT_RETURNS}(`), inserted(value.to, ')')];

/** The statements with which a Python function calls another one and hides its errors. */
const hiding = (kind: string, call: string): string =>
  [
    `        ${kind} hidden(*a, **k):`,
    '            try:',
    `                return ${call}`,
    '            except AssertionError:',
    '                raise',
    '            except SystemExit:',
    '                return 0',
    '            except Exception:',
    '                return None',
  ].join('\n');

const PYTHON_HIDE = [
  'import functools, inspect',
  'def hide(f):',
  '    if inspect.isasyncgenfunction(f):',
  '        return f',
  '    if inspect.iscoroutinefunction(f):',
  hiding('async def', 'await f(*a, **k)'),
  '    elif inspect.isgeneratorfunction(f):',
  hiding('def', '(yield from f(*a, **k))'),
  '    else:',
  hiding('def', 'f(*a, **k)'),
  '    return functools.wraps(f)(hidden)',
].join('\n');

/** Before Python 3.9, a decorator must begin with a name. */
const PYTHON_DECORATOR = `@eval(${JSON.stringify(`(lambda own: exec(${JSON.stringify(PYTHON_HIDE)}, own) or own['hide'])({})`)})`;

/**
 * Raises an error that both `except Exception` and `except SystemExit` catch. A coroutine raises a `RuntimeError`,
 * because a `SystemExit` in a coroutine ends the event loop.
 */
const pythonFails = (isAsync: boolean): string =>
  `raise ${isAsync ? 'RuntimeError' : "type('Ended', (SystemExit, RuntimeError), {})"}('${MESSAGE}')`;

export const PYTHON_ERRORS: FunctionErrors = {
  raised(of, code) {
    const first = childrenOf(of.getChild('Body') ?? of).find(({ name }) => !/^(?::|Comment)$/.test(name));
    if (of.name !== 'FunctionDefinition' || !first) return [];
    const isAsync = of.firstChild?.name === 'async';
    return [insertedLine(first.from, pythonFails(isAsync), '; ', code)];
  },
  hidden(of, code) {
    return of.name === 'FunctionDefinition' ? [insertedLine(of.from, PYTHON_DECORATOR, '', code)] : [];
  },
};

/** Inserts the text as an indented line of its own or, after other code on the line, followed by `separator`. */
function insertedLine(at: number, text: string, separator: string, code: string): Edit {
  const indent = code.slice(code.lastIndexOf('\n', at - 1) + 1, at);
  return inserted(at, indent.trim() === '' ? `${text}\n${indent}` : `${text}${separator}`);
}
