/**
 * Replaces a value by a different one of the same type. Tests that check only the type of a value, or that there is
 * one, do not notice it. Pure.
 */
import type { SyntaxNode } from '@lezer/common';
import type { Edit } from '../syntax/text-edits.ts';

/** How a language turns an expression into another. */
export interface ValueChanges {
  /** Evaluates the expression, and changes its value. */
  different(expression: string): string;
  /** Like `different`, but keeps a function or class and changes its results. */
  differentResults(expression: string): string;
  /** Evaluates the expression, and drops its value. */
  dropped(expression: string): string;
  readonly nothing: string;
}

const script = (type: string): ValueChanges => ({
  different: expression => otherInScript(expression, type, OTHER_FUNCTION_IN_SCRIPT),
  differentResults: expression => otherInScript(expression, type, OTHER_RESULTS_IN_SCRIPT),
  dropped: expression => `void (${expression})`,
  nothing: 'undefined',
});

const otherInScript = (expression: string, type: string, ofFunction: string): string =>
  `(function other(v${type}, seen${type} = [])${type} { if (typeof v === 'function') { ${ofFunction} } ${OTHER_IN_SCRIPT} })((${expression}))`;

const OTHER_RESULTS_IN_SCRIPT = [
  'return new Proxy(v, {',
  'apply: (f, self, args) => other(Reflect.apply(f, self, args)),',
  'construct: (f, args, target) => other(Reflect.construct(f, args, target)) });',
].join(' ');

/** A function that does nothing, but has the same members; a class must stay a class. */
const OTHER_FUNCTION_IN_SCRIPT = [
  `if (/^class\\b/.test(String(v))) ${OTHER_RESULTS_IN_SCRIPT}`,
  'return Object.defineProperties(() => undefined, Object.getOwnPropertyDescriptors(v));',
].join(' ');

const OTHER_IN_SCRIPT = [
  'if (v == null) return {};',
  "if (typeof v === 'string') return v.replace(/[^]/g, c => (c === 'x' ? 'y' : 'x')) || 'x';",
  "if (typeof v === 'number') return isFinite(v) && v + 1 !== v ? v + 1 : 0;",
  "if (typeof v === 'bigint') return v + BigInt(1);",
  "if (typeof v === 'boolean') return !v;",
  // React renders nothing for null.
  "if (typeof v !== 'object' || v.$$typeof) return null;",
  'if (seen.includes(v)) return {};',
  'const inside = [...seen, v];',
  'if (Array.isArray(v)) return v.length > 0 ? v.map(x => other(x, inside)) : [undefined];',
  "if (typeof v.then === 'function') return v.then(x => other(x));",
  'if (v instanceof Date) return new Date((Number(v) || 0) + 86400000);',
  'if (v instanceof Map) return new v.constructor([[{}, 1]]);',
  'if (v instanceof Set) return new v.constructor([{}]);',
  'if (ArrayBuffer.isView(v)) return new Uint8Array(v.byteLength + 1);',
  "if (typeof v.next === 'function' && v[Symbol.asyncIterator]) return (async function* () { for await (const x of v) yield other(x); })();",
  "if (typeof v.next === 'function' && v[Symbol.iterator]) return (function* () { for (const x of v) yield other(x); })();",
  'const prototype = Object.getPrototypeOf(v);',
  'const entries = Object.entries(v).map(([key, x]) => [key, other(x, inside)]);',
  "const changed = Object.setPrototypeOf(Object.fromEntries(entries.length > 0 ? entries : [['x', 1]]), prototype);",
  'if (prototype === null || prototype === Object.prototype) return changed;',
  // An object of a class may have private fields, so its methods are called on the object itself.
  'return new Proxy(changed, { get: (_, key) => { const x = v[key];',
  "const isKept = typeof key === 'symbol' || key === 'constructor' || !(key in v);",
  "if (typeof x !== 'function') return isKept ? x : other(x);",
  'return isKept ? x : (...args) => other(x.apply(v, args)); } });',
].join(' ');

export const JAVASCRIPT_VALUES = script('');
export const TYPESCRIPT_VALUES = script(': any');

const otherInPython = (expression: string, ofFunction: string): string =>
  `(lambda other, v: other(other, v))(lambda other, v: (${ofFunction}) if callable(v) else ${OTHER_IN_PYTHON}, (${expression}))`;

const ITEMS_IN_PYTHON = "([other(other, x) for x in v] or ['x'])";

const OTHER_IN_PYTHON = [
  'object() if v is None',
  'not v if isinstance(v, bool)',
  // The members of an enum are singletons, some of them numbers or strings.
  "next((x for x in type(v) if x is not v), object()) if isinstance(v, __import__('enum').Enum)",
  '(v + 1 if v + 1 != v else 0) if isinstance(v, float)',
  "v + 1 if hasattr(v, 'real')",
  "('y' if v[:1] == 'x' else 'x') * max(len(v), 1) if isinstance(v, str)",
  "bytes(b ^ 1 for b in v) or b'x' if isinstance(v, bytes)",
  "{key: other(other, x) for key, x in v.items()} or {'x': 1} if isinstance(v, dict)",
  "(other(other, x) for x in v) if hasattr(v, '__next__')",
  `type(v)(${ITEMS_IN_PYTHON}) if type(v) in (list, tuple)`,
  'type(v)([object()]) if type(v) in (set, frozenset)',
  "v._make(other(other, x) for x in v) if hasattr(v, '_make')",
  // Classes that extend these types may have other parameters.
  `(lambda made: made.__dict__.update(v.__dict__) or made)(tuple.__new__(type(v), ${ITEMS_IN_PYTHON})) if isinstance(v, tuple) and hasattr(v, '__dict__')`,
  'frozenset.__new__(type(v), [object()]) if isinstance(v, frozenset)',
  `(lambda copy: list.__init__(copy, ${ITEMS_IN_PYTHON}) or copy)(__import__('copy').copy(v)) if isinstance(v, list)`,
  "(lambda copy: set.__init__(copy, [object()]) or copy)(__import__('copy').copy(v)) if isinstance(v, set)",
  "v + __import__('datetime').timedelta(days=1) if isinstance(v, __import__('datetime').date)",
  // An object that has no copies, such as a sentinel, must stay as it is.
  "(lambda copy: object() if copy is v else copy.__dict__.update({key: other(other, x) for key, x in copy.__dict__.items()}) or copy)(__import__('copy').copy(v)) if hasattr(v, '__dict__')",
  'None',
].join(' else ');

/** Calls return None; a class must stay a class. */
const OTHER_FUNCTION_IN_PYTHON =
  "type(v.__name__, (), {'__new__': lambda *_, **__: None}) if isinstance(v, type) else lambda *_, **__: None";

export const PYTHON_VALUES: ValueChanges = {
  different: expression => otherInPython(expression, OTHER_FUNCTION_IN_PYTHON),
  differentResults: expression => otherInPython(expression, 'lambda *a, **k: other(other, v(*a, **k))'),
  dropped: expression => `((${expression}), None)[1]`,
  nothing: 'None',
};

const GO_VALUES: readonly (readonly [
  type: RegExp,
  different: (expression: string, ...parts: string[]) => string,
])[] = [
  [
    /^string$/,
    text =>
      `func(s string) string { b := []byte(s); for i := range b { b[i] ^= 1 }; return string(append(b, 'x')) }(${text})`,
  ],
  [/^bool$/, condition => `!(${condition})`],
  [/^(?:u?int|float)(?:\d+)?$/, number => `(${number}) + 1`],
  [/^\[\](.+)$/s, (slice, item) => `append(${slice}, *new(${item}))`],
  [
    /^map\[([^[\]]+)\](.+)$/s,
    (map, key, value) =>
      `func(m map[${key}]${value}) map[${key}]${value} { if len(m) > 0 { return nil }; return map[${key}]${value}{*new(${key}): *new(${value})} }(${map})`,
  ],
  [/^\*(.+)$/s, (pointer, type) => `func(*${type}) *${type} { return new(${type}) }(${pointer})`],
];

/**
 * Changes the first returned value of a Go function that has a type in `GO_VALUES`; null if there is none, or if the
 * function may return an error. `types`: the types of the results.
 */
export function differentGoResult(
  values: readonly SyntaxNode[],
  types: readonly string[],
  code: string,
): Edit | null {
  const mayFail = types.some((type, n) => type === 'error' && values[n]?.name !== 'Nil');
  if (values.length !== types.length || mayFail) return null;
  for (const [n, { from, to }] of values.entries()) {
    if (isNewPointer(code.slice(from, to), types[n]!)) continue;
    for (const [type, different] of GO_VALUES) {
      const found = type.exec(types[n]!);
      if (found) return { from, to, text: different(code.slice(from, to), ...found.slice(1)) };
    }
  }
  return null;
}

/** Whether a pointer to a zero value is returned already. */
const isNewPointer = (value: string, type: string): boolean =>
  type.startsWith('*') && [`&${type.slice(1)}{}`, `new(${type.slice(1)})`].includes(value);

const GO_ZERO = /^(?:nil|false|""|``|0[xXoObB]?[0_.]*)$/;
/** For these types, an empty literal is not the zero value. */
const HAS_NIL = /^(?:\[\]|map\[)/;

/** Whether a Go function that returns these values returns the zero value of each type. */
export const areGoZeroValues = (
  values: readonly SyntaxNode[],
  types: readonly string[],
  code: string,
): boolean => values.every(({ from, to }, n) => isGoZeroValue(code.slice(from, to), types[n] ?? ''));

const isGoZeroValue = (value: string, type: string): boolean =>
  GO_ZERO.test(value) ||
  value === `*new(${type})` ||
  (value === `${type}{}` && !HAS_NIL.test(type)) ||
  [`${type}(`, `(${type})(`].some(
    start => value.startsWith(start) && value.endsWith(')') && GO_ZERO.test(value.slice(start.length, -1)),
  );
