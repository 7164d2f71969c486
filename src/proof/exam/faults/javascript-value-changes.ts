/** Changes values in JavaScript and TypeScript within their types. Pure. */
import { type FaultsWithinType, joinedLines, type ValueChanges } from './value-changes.ts';

/** `annotation`: the type annotation of a parameter in TypeScript; empty in JavaScript. */
const script = (annotation: ': any' | ''): ValueChanges => {
  const other = joinedLines(otherValue(annotation));
  const different = (expression: string) => `(${other})((${expression}))`;
  return {
    different,
    // `different` already changes every value.
    unequal: different,
    dropped: expression => `void (${expression})`,
    nothing: 'undefined',
    withinType: faultsWithinType(joinedLines(keptType(other, annotation)), annotation),
  };
};

/** `kept`: the code of the function `kept`. */
const faultsWithinType = (kept: string, annotation: ': any' | ''): FaultsWithinType => ({
  operation([left, right], operator, other) {
    const result = `(${kept})(a ${operator} b, a ${other} b)`;
    // If the first operand is falsy, there should be no value, so the fault returns the second operand.
    const value = operator === '&&' ? `a ? ${result} : b` : result;
    return `((a${annotation}, b${annotation})${annotation} => ${value})(${left}, ${right})`;
  },
  item: (list, index, other) =>
    `((a${annotation})${annotation} => (${kept})(a[${index}], a[${other}]))(${list})`,
  call: (right, faulty) =>
    joinedLines(`
((v${annotation}, again${annotation})${annotation} => {
  const kept = ${kept};
  const isNothing = (x${annotation}) => x == null || x !== x;
  if (v && typeof v.then === 'function')
    return v.then(async (x${annotation}) => isNothing(x) ? kept(await again(), x) : x);
  return isNothing(v) ? kept(again(), v) : v;
})`) + `(${faulty}, () => ${right})`,
});

/** The code of a function that returns `faulty`, or a value different from `right` if `faulty` has another type. */
const keptType = (other: string, annotation: ': any' | ''): string => `
function kept(right${annotation}, faulty${annotation})${annotation} {
  const typeOf = (x${annotation}) => x !== x ? 'NaN' : Object.prototype.toString.call(x);
  const isKept = right == null || typeof right === 'boolean' || typeOf(right) === typeOf(faulty);
  return isKept ? faulty : (${other})(right);
}`;

/**
 * The code of a function that returns a different value. `seen`: the objects that contain the value. The same object,
 * function or symbol always gets the same replacement, so that a test that compares two results with each other does
 * not notice.
 */
const otherValue = (annotation: ': any' | ''): string => String.raw`
function other(v${annotation}, seen${annotation} = [])${annotation} {
  if (typeof v === 'string') {
    const after = c => /[z9]/i.test(c)
      ? String.fromCharCode(c.charCodeAt(0) - (c === '9' ? 8 : 25))
      : String.fromCharCode(c.charCodeAt(0) + 1);
    // Zeros stay unless there is nothing else to change, because a number in JSON must not have leading zeros.
    const next = v.replace(/[a-z1-9]/gi, after);
    return next !== v ? next : /0/.test(v) ? v.replace(/0/g, '1') : v + v || 'x';
  }
  if (typeof v === 'number') {
    if (!isFinite(v)) return 0;
    // A fraction, such as a probability, stays a fraction.
    const isFraction = v % 1 !== 0 && v < 1 && v > -1;
    return isFraction || v + 1 === v ? v / 2 : v < 0 ? v - 1 : v + 1;
  }
  if (typeof v === 'bigint') return v < BigInt(0) ? v - BigInt(1) : v + BigInt(1);
  if (typeof v === 'boolean') return !v;
  const all${annotation} = globalThis;
  const key = Symbol.for('different values');
  if (!all[key]) Object.defineProperty(all, key, { value: [new Map(), new WeakMap()] });
  const known = all[key][Object(v) === v ? 1 : 0];
  if (!known.has(v)) known.set(v, make());
  return known.get(v);

  function make() {
    if (typeof v === 'function') {
      const code = String(v);
      const nothing = /^async\b/.test(code) ? async () => {} : () => undefined;
      // A function that returns nothing is replaced with one that does nothing, so that a test that checks only whether
      // a function returns a value does not notice.
      if (!/^class\b|\breturn\b|\byield\b|=>\s*[^{\s]|\[native code\]/.test(code))
        return Object.defineProperties(nothing, Object.getOwnPropertyDescriptors(v));
      // A proxy for an asynchronous function is not recognized as asynchronous.
      const later = async function (${annotation && 'this: any, '}...args${annotation}) {
        return other(await Reflect.apply(v, this, args));
      };
      if (v.constructor && v.constructor.name === 'AsyncFunction')
        return Object.defineProperties(later, Object.getOwnPropertyDescriptors(v));
      return new Proxy(v, {
        apply: (f, self, args) => other(Reflect.apply(f, self, args)),
        construct: (f, args, target) => other(Reflect.construct(f, args, target))
      });
    }
    if (v == null) return {};
    if (typeof v === 'symbol') return Symbol(v.description);
    // React renders nothing for null, so null replaces a React element.
    if (typeof v !== 'object' || v.$$typeof) return null;
    if (seen.includes(v)) return {};
    const inside = [...seen, v];
    if (Array.isArray(v)) return v.length > 0 ? v.map(x => other(x, inside)) : [undefined];
    // util.types.isNativeError recognizes an error only if it was created by a constructor.
    if (v instanceof Error && /\[native code\]/.test(String(v.constructor)))
      return Object.assign(
        Object.setPrototypeOf(new Error(other(v.message)), Object.getPrototypeOf(v)),
        other({ ...v }, inside)
      );
    if (typeof v.then === 'function') return v.then(x => other(x));
    if (v instanceof Date) return new Date((Number(v) || 0) + 86400000);
    if (v instanceof RegExp) return new RegExp('(?!)', v.flags);
    if (v instanceof Map)
      return new v.constructor(v.size > 0 ? [...v].map(([key, x]) => [key, other(x, inside)]) : [[{}, 1]]);
    if (v instanceof Set) {
      // The new set gets more items than the original, because tests may count them.
      const items = [...v].map(x => other(x, inside));
      items.push(...items.map(x => other(x, inside)));
      return new v.constructor(items.some(x => !v.has(x)) ? items : [{}]);
    }
    if (v instanceof DataView) return new DataView(new ArrayBuffer(v.byteLength + 1));
    if (ArrayBuffer.isView(v)) return v.length > 0 ? v.map(x => other(x)) : v.constructor.from([1]);
    if (typeof v.next === 'function' && v[Symbol.asyncIterator])
      return (async function* () { for await (const x of v) yield other(x); })();
    if (typeof v.next === 'function' && v[Symbol.iterator])
      return (function* () { for (const x of v) yield other(x); })();
    const prototype = Object.getPrototypeOf(v);
    const entries = Object.entries(v).map(([key, x]) => [key, other(x, inside)]);
    const changed = Object.setPrototypeOf(
      Object.fromEntries(entries.length > 0 ? entries : [['x', 1]]),
      prototype
    );
    if (prototype === null || prototype === Object.prototype) return changed;
    // An instance of a class may have private fields, so its methods are called on the object itself.
    return new Proxy(changed, {
      get: (_, key) => {
        const x = v[key];
        const isKept = typeof key === 'symbol' || key === 'constructor' || !(key in v);
        if (typeof x !== 'function') return isKept ? x : other(x);
        return isKept ? x : (...args) => other(x.apply(v, args));
      }
    });
  }
}`;

export const JAVASCRIPT_VALUES = script('');
export const TYPESCRIPT_VALUES = script(': any');
