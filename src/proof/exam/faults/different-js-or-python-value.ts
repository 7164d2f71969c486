/**
 * Replaces a value with a different one of the same type and class: letters keep their case, digits stay digits, numbers
 * keep their sign, and items of sets keep their types. Tests that check only that a value exists, its type or its class
 * do not notice this. Pure.
 */

/** Builds code in one language that changes the value of an expression. */
export interface ValueChanges {
  /** Returns code that evaluates the expression and changes its value or, for a function or class, its results. */
  different(expression: string): string;
  /** Like `different`, but a value that is the only one of its type becomes a value of another type. */
  unequal(expression: string): string;
  /** Returns code that evaluates the expression and drops its value. */
  dropped(expression: string): string;
  readonly nothing: string;
}

/** `annotation`: the type annotation of a parameter in TypeScript; empty in JavaScript. */
const script = (annotation: ': any' | ''): ValueChanges => {
  const other = otherInScript(annotation);
  const different = (expression: string) =>
    `(function other(v${annotation}, seen${annotation} = [])${annotation} { ${other} })((${expression}))`;
  return {
    different,
    // `different` already changes every value.
    unequal: different,
    dropped: expression => `void (${expression})`,
    nothing: 'undefined',
  };
};

/**
 * Makes calls return something different. A function that returns nothing is replaced with one that does nothing, so
 * that a test that checks only whether a function returns a value does not notice.
 */
const otherFunctionInScript = (annotation: string): string =>
  [
    'const code = String(v);',
    'const isVoid = !/^class\\b|\\breturn\\b|\\byield\\b|=>\\s*[^{\\s]|\\[native code\\]/.test(code);',
    'const nothing = /^async\\b/.test(code) ? async () => {} : () => undefined;',
    'if (isVoid) return Object.defineProperties(nothing, Object.getOwnPropertyDescriptors(v));',
    // A proxy for an asynchronous function is not recognized as asynchronous.
    `const later = async function (${annotation && 'this: any, '}...args${annotation}) { return other(await Reflect.apply(v, this, args)); };`,
    "if (v.constructor && v.constructor.name === 'AsyncFunction') return Object.defineProperties(later, Object.getOwnPropertyDescriptors(v));",
    'return new Proxy(v, {',
    'apply: (f, self, args) => other(Reflect.apply(f, self, args)),',
    'construct: (f, args, target) => other(Reflect.construct(f, args, target)) });',
  ].join(' ');

/** Zeros stay unless there is nothing else to change, because a number in JSON must not have leading zeros. */
const OTHER_STRING_IN_SCRIPT = [
  "const next = v.replace(/[a-z1-9]/gi, c => (/[z9]/i.test(c) ? String.fromCharCode(c.charCodeAt(0) - (c === '9' ? 8 : 25)) : String.fromCharCode(c.charCodeAt(0) + 1)));",
  "return next !== v ? next : /0/.test(v) ? v.replace(/0/g, '1') : v + v || 'x';",
].join(' ');

/** A fraction, such as a probability, stays a fraction. */
const OTHER_NUMBER_IN_SCRIPT = [
  'if (!isFinite(v)) return 0;',
  'const isFraction = v % 1 !== 0 && v < 1 && v > -1;',
  'return isFraction || v + 1 === v ? v / 2 : v < 0 ? v - 1 : v + 1;',
].join(' ');

/** Has more items than the original set, because tests may count them. */
const OTHER_SET_IN_SCRIPT = [
  'const items = [...v].map(x => other(x, inside));',
  'items.push(...items.map(x => other(x, inside)));',
  'return new v.constructor(items.some(x => !v.has(x)) ? items : [{}]);',
].join(' ');

const otherInScript = (annotation: string): string =>
  [
    `if (typeof v === 'function') { ${otherFunctionInScript(annotation)} }`,
    'if (v == null) return {};',
    `if (typeof v === 'string') { ${OTHER_STRING_IN_SCRIPT} }`,
    `if (typeof v === 'number') { ${OTHER_NUMBER_IN_SCRIPT} }`,
    "if (typeof v === 'bigint') return v < BigInt(0) ? v - BigInt(1) : v + BigInt(1);",
    "if (typeof v === 'boolean') return !v;",
    "if (typeof v === 'symbol') return Symbol(v.description);",
    // React renders nothing for null, so null replaces a React element.
    "if (typeof v !== 'object' || v.$$typeof) return null;",
    'if (seen.includes(v)) return {};',
    'const inside = [...seen, v];',
    'if (Array.isArray(v)) return v.length > 0 ? v.map(x => other(x, inside)) : [undefined];',
    // `util.types.isNativeError` recognizes an error only if it was created by a constructor.
    'if (v instanceof Error && /\\[native code\\]/.test(String(v.constructor))) return Object.assign(Object.setPrototypeOf(new Error(other(v.message)), Object.getPrototypeOf(v)), other({ ...v }, inside));',
    "if (typeof v.then === 'function') return v.then(x => other(x));",
    'if (v instanceof Date) return new Date((Number(v) || 0) + 86400000);',
    "if (v instanceof RegExp) return new RegExp('(?!)', v.flags);",
    'if (v instanceof Map) return new v.constructor(v.size > 0 ? [...v].map(([key, x]) => [key, other(x, inside)]) : [[{}, 1]]);',
    `if (v instanceof Set) { ${OTHER_SET_IN_SCRIPT} }`,
    'if (v instanceof DataView) return new DataView(new ArrayBuffer(v.byteLength + 1));',
    'if (ArrayBuffer.isView(v)) return v.length > 0 ? v.map(x => other(x)) : v.constructor.from([1]);',
    "if (typeof v.next === 'function' && v[Symbol.asyncIterator]) return (async function* () { for await (const x of v) yield other(x); })();",
    "if (typeof v.next === 'function' && v[Symbol.iterator]) return (function* () { for (const x of v) yield other(x); })();",
    'const prototype = Object.getPrototypeOf(v);',
    'const entries = Object.entries(v).map(([key, x]) => [key, other(x, inside)]);',
    "const changed = Object.setPrototypeOf(Object.fromEntries(entries.length > 0 ? entries : [['x', 1]]), prototype);",
    'if (prototype === null || prototype === Object.prototype) return changed;',
    // An instance of a class may have private fields, so its methods are called on the object itself.
    'return new Proxy(changed, { get: (_, key) => { const x = v[key];',
    "const isKept = typeof key === 'symbol' || key === 'constructor' || !(key in v);",
    "if (typeof x !== 'function') return isKept ? x : other(x);",
    'return isKept ? x : (...args) => other(x.apply(v, args)); } });',
  ].join(' ');

export const JAVASCRIPT_VALUES = script('');
export const TYPESCRIPT_VALUES = script(': any');

const changedInPython = (changes: readonly string[], expression: string): string =>
  `(lambda other, v: other(other, v))(lambda other, v: ${changes.join(' else ')}, (${expression}))`;

const python = (module: string): string => `__import__('${module}')`;
const ITEMS_IN_PYTHON = "([other(other, x) for x in v] or ['x'])";
/** Has more items than the original set, because tests may count them. */
const SET_IN_PYTHON =
  "(lambda s: s - v and s or [object()])((lambda s: s.union(other(other, x) for x in s))({other(other, x) for x in v} or {'x'}))";
const COPY_IN_PYTHON = `${python('copy')}.copy(v)`;

/** A fraction, such as a probability, stays a fraction. */
const NEXT_FRACTION_IN_PYTHON = 'v / 2 if 0 < abs(v) <= 1 or v + 1 == v else v - 1 if v < 0 else v + 1';

/** Zeros stay unless there is nothing else to change, because a number in JSON must not have leading zeros. */
const NEXT_STRING_IN_PYTHON = [
  "(lambda s: s if s != v else v.replace('0', '1') if '0' in v else v + v or 'x')(''.join(",
  "{'z': 'a', 'Z': 'A', '9': '1', '0': '0'}.get(c) or (chr(ord(c) + 1) if c < '{' and c.isalnum() else c)",
  'for c in v))',
].join(' ');

/** A subclass whose instances have different attribute values, and whose methods return different results. */
const OTHER_CLASS_IN_PYTHON = [
  "type(v)(v.__name__, (v,), {**{name: x for name, x in vars(v).items() if name not in ('__dict__', '__weakref__', '__slots__')},",
  "'__getattribute__': lambda self, name: (lambda x: x if name[:2] == '__' else other(other, x))(v.__getattribute__(self, name)),",
  '**{name: (lambda f: lambda self, *a, **k: other(other, f(self, *a, **k)))(getattr(v, name))',
  "for name in ('__str__', '__call__', '__len__', '__contains__', '__getitem__', '__iter__', '__enter__')",
  'if any(name in vars(k) for k in v.__mro__ if k not in (object, BaseException, Exception))}})',
].join(' ');

/** Runs the function, and changes what it returns. */
const OTHER_FUNCTION_IN_PYTHON = `${python('functools')}.wraps(v)(lambda *a, **k: other(other, v(*a, **k)))`;

/** Each part is tried in turn. `last` is for a value that may be the only one of its type. */
const changesInPython = (last: 'v' | 'object()'): string[] => [
  'object() if v is None',
  'not v if isinstance(v, bool)',
  // The members of an enum are singletons, some of them numbers or strings, and an enum has no subclasses.
  `next((x for x in type(v) if x is not v), object()) if isinstance(v, ${python('enum')}.Enum)`,
  `${last} if isinstance(v, ${python('enum')}.EnumMeta) or ${python('inspect')}.iscoroutinefunction(v)`,
  `(${OTHER_CLASS_IN_PYTHON}) if isinstance(v, type)`,
  `(${OTHER_FUNCTION_IN_PYTHON}) if callable(v) and hasattr(v, '__name__')`,
  `(lambda x: x if x != v else 0.0)(${NEXT_FRACTION_IN_PYTHON}) if isinstance(v, (float, ${python('decimal')}.Decimal, ${python('fractions')}.Fraction))`,
  `(v - 1 if v < 0 else v + 1) if isinstance(v, ${python('numbers')}.Integral)`,
  "v + 1 if hasattr(v, 'real')",
  `(lambda s: s if type(v) is str else str.__new__(type(v), s))(${NEXT_STRING_IN_PYTHON}) if isinstance(v, str)`,
  "type(v)(bytes(b ^ 1 for b in v) or b'x') if type(v) in (bytes, bytearray, memoryview)",
  "{key: other(other, x) for key, x in v.items()} or {'x': 1} if type(v) is dict",
  `(lambda made: dict.update(made, {key: other(other, x) for key, x in v.items()} or {'x': 1}) or made)(${COPY_IN_PYTHON}) if isinstance(v, dict)`,
  "(other(other, x) for x in v) if hasattr(v, '__next__')",
  `type(v)(${ITEMS_IN_PYTHON}) if type(v) in (list, tuple, ${python('collections')}.deque)`,
  `type(v)(${SET_IN_PYTHON}) if type(v) in (set, frozenset)`,
  "v._make(other(other, x) for x in v) if hasattr(v, '_make')",
  // Classes that extend these types may have other parameters.
  `(lambda made: made.__dict__.update(v.__dict__) or made)(tuple.__new__(type(v), ${ITEMS_IN_PYTHON})) if isinstance(v, tuple) and hasattr(v, '__dict__')`,
  `frozenset.__new__(type(v), ${SET_IN_PYTHON}) if isinstance(v, frozenset)`,
  `(lambda made: list.__init__(made, ${ITEMS_IN_PYTHON}) or made)(${COPY_IN_PYTHON}) if isinstance(v, list)`,
  `(lambda made: set.__init__(made, ${SET_IN_PYTHON}) or made)(${COPY_IN_PYTHON}) if isinstance(v, set)`,
  `v + ${python('datetime')}.timedelta(days=1) if isinstance(v, ${python('datetime')}.date)`,
  `v * 2 or ${python('datetime')}.timedelta(days=1) if isinstance(v, ${python('datetime')}.timedelta)`,
  `v.replace(second=(v.second + 1) % 60) if isinstance(v, ${python('datetime')}.time)`,
  `(${python('datetime')}.timezone.utc if v.utcoffset(None) else ${python('datetime')}.timezone(${python('datetime')}.timedelta(hours=1))) if isinstance(v, ${python('datetime')}.timezone)`,
  // The module `zoneinfo` does not exist before Python 3.9, so the class is recognized by its name.
  "type(v)('Etc/GMT+1' if v.key == 'UTC' else 'UTC') if type(v).__name__ == 'ZoneInfo'",
  'range(v.start, v.stop + v.step, v.step) if isinstance(v, range)',
  'slice(v.start, 1 if v.stop is None else other(other, v.stop), v.step) if isinstance(v, slice)',
  `type(v)(other(other, dict(v))) if isinstance(v, ${python('types')}.MappingProxyType)`,
  `${python('re')}.compile('(?!)' if isinstance(v.pattern, str) else b'(?!)') if isinstance(v, ${python('re')}.Pattern)`,
  `v / 'x' if isinstance(v, ${python('pathlib')}.PurePath)`,
  `type(v)(int=v.int ^ 1) if isinstance(v, ${python('uuid')}.UUID)`,
  // An object whose copy is the object itself may be a sentinel.
  `(lambda made: object() if made is v else made.__dict__.update({key: other(other, x) for key, x in made.__dict__.items()}) or made)(${COPY_IN_PYTHON}) if hasattr(v, '__dict__')`,
  `(lambda made: [setattr(made, name, other(other, getattr(v, name))) for k in type(v).__mro__ for name in getattr(k, '__slots__', ()) if name[:2] != '__' and hasattr(v, name)] and made)(${COPY_IN_PYTHON}) if hasattr(v, '__slots__')`,
  last,
];

/** Faults keep the type of every value, because a test that checks only the type must not fail. */
const DIFFERENT_IN_PYTHON = changesInPython('v');
/** Instances of a class without attributes may be equal. */
const UNEQUAL_IN_PYTHON = [
  "object() if getattr(v, '__dict__', None) == {} and not callable(v)",
  ...changesInPython('object()'),
];

export const PYTHON_VALUES: ValueChanges = {
  different: expression => changedInPython(DIFFERENT_IN_PYTHON, expression),
  unequal: expression => changedInPython(UNEQUAL_IN_PYTHON, expression),
  dropped: expression => `((${expression}), None)[1]`,
  nothing: 'None',
};
