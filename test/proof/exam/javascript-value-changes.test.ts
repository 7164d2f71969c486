import { types } from 'node:util';
import { describe, expect, test } from 'vitest';
import { JAVASCRIPT_VALUES } from '../../../src/proof/exam/faults/javascript-value-changes.ts';

const evaluated = (code: string): unknown => new Function(`return ${code};`)();

describe('a different value of the same type in JavaScript', () => {
  test('the code has no operators that parsers older than ES2020 reject', () => {
    expect(JAVASCRIPT_VALUES.different('a')).not.toMatch(/\?\.|\?\?/);
  });

  test.each([
    ['"a x"', 'b y'],
    ['"Zz 9.10"', 'Aa 1.20'],
    ['"00"', '11'],
    ['"--"', '----'],
    ['""', 'x'],
    ['5', 6],
    ['-1', -2],
    ['0.5', 0.25],
    ['NaN', 0],
    ['1e300', 5e299],
    ['2n', 3n],
    ['-1n', -2n],
    ['true', false],
    ['null', {}],
    ['[1, ["a"]]', [2, ['b']]],
    ['[]', [undefined]],
    ['({ a: 1, b: { c: "d" } })', { a: 2, b: { c: 'e' } }],
    ['{}', { x: 1 }],
    ['new Date(0)', new Date(86_400_000)],
    ['new Map()', new Map([[{}, 1]])],
    ['new Set()', new Set([{}])],
    ['new Set(["a"])', new Set(['b', 'c'])],
    ['new Set([true, false])', new Set([{}])],
    ['new Map([["a", 1]])', new Map([['a', 2]])],
    ['new Uint8Array([1, 255])', new Uint8Array([2, 0])],
    ['new Uint8Array()', new Uint8Array([1])],
    ['Buffer.from("a")', Buffer.from('b')],
    ['new DataView(new ArrayBuffer(1))', new DataView(new ArrayBuffer(2))],
    ['(() => { const a = { n: 1 }; a.self = a; return a; })()', { n: 2, self: {} }],
  ])('%s', (expression, expected) => {
    expect(evaluated(JAVASCRIPT_VALUES.different(expression))).toEqual(expected);
  });

  test('keeps the prototype of an object, and changes what a promise resolves to', async () => {
    const changed = evaluated(
      JAVASCRIPT_VALUES.different('new (class A { n = 1; next() { return this.n; } })()'),
    );
    expect((changed as { next(): number }).next()).toBe(2);
    expect(await evaluated(JAVASCRIPT_VALUES.different('Promise.resolve(3)'))).toBe(4);
  });

  test('a function keeps its members, and a class stays a class', () => {
    const other = (code: string) => evaluated(JAVASCRIPT_VALUES.different(code));
    const changed = other('Object.assign(() => 3, { n: 1 })') as { (): unknown; n: number };
    expect([changed(), changed.n]).toEqual([4, 1]);
    const Box = other('class { static kind = "a"; items = [1]; }') as { new (): unknown; kind: string };
    expect([new Box(), Box.kind]).toEqual([{ items: [2] }, 'a']);
  });

  test('a function that returns nothing becomes one that does nothing', async () => {
    const calls: number[] = [];
    const other = (code: string) =>
      new Function('calls', `return ${JAVASCRIPT_VALUES.different(code)};`)(calls);
    expect([other('() => { calls.push(1); }')(), calls]).toEqual([undefined, []]);
    expect(await other('async () => { calls.push(1); }')()).toBeUndefined();
    expect([other('() => calls.push(1)')(), calls]).toEqual([2, [1]]);
    expect(typeof other('Symbol("a")')).toBe('symbol');
  });

  test('changes what a function, a method, a class or a generator returns or yields', async () => {
    const results = (code: string) => evaluated(JAVASCRIPT_VALUES.different(code));
    expect((results('n => n + 1') as (n: number) => number)(1)).toBe(3);
    const Stack = results(
      'class { #n = []; push(x) { this.#n.push(x); return this; } pop() { return this.#n.pop(); } get size() { return this.#n.length; } }',
    ) as new () => { push(n: number): { size: number; pop(): number } };
    const stack = new Stack().push(4);
    expect([stack.size, stack.pop()]).not.toEqual([1, 4]);
    const frozen = 'Object.freeze(new (class { n = 1; get twice() { return this.n * 2; } })())';
    expect(evaluated(JAVASCRIPT_VALUES.different(frozen))).toMatchObject({ n: 2, twice: 3 });
    const items = evaluated(JAVASCRIPT_VALUES.different('(function* () { yield 1; yield 2; })()'));
    expect([...(items as Iterable<number>)]).toEqual([2, 3]);
    const later = evaluated(JAVASCRIPT_VALUES.different('(async function* () { yield 1; })()'));
    for await (const item of later as AsyncIterable<number>) expect(item).toBe(2);
  });

  test('a regular expression, an error and an async function keep their types', async () => {
    const other = (code: string) => evaluated(JAVASCRIPT_VALUES.different(code));
    expect([types.isRegExp(other('/a/g')), (other('/a/g') as RegExp).test('a')]).toEqual([true, false]);
    const error = other('Object.assign(new RangeError("a"), { code: "E" })');
    expect([types.isNativeError(error), error]).toMatchObject([true, { message: 'b', code: 'F' }]);
    expect(error).toBeInstanceOf(RangeError);
    const later = other('async function (n) { return this.n + n; }') as (n: number) => Promise<number>;
    expect([types.isAsyncFunction(later), await later.call({ n: 1 }, 2)]).toEqual([true, 4]);
  });

  test('an object, a function, a symbol and null are always replaced with the same value', () => {
    const twice = (value: string) =>
      evaluated(
        `(v => [${JAVASCRIPT_VALUES.different('v')}, ${JAVASCRIPT_VALUES.different('v')}])(${value})`,
      ) as [unknown, unknown];
    for (const value of ['{ a: [] }', '() => 1', 'class {}', 'Symbol("a")', 'Symbol.for("a")', 'null']) {
      const [one, other] = twice(value);
      expect(one, value).toBe(other);
    }
    const two = evaluated(`[{}, {}].map(v => ${JAVASCRIPT_VALUES.different('v')})`) as [object, object];
    expect(two[0]).not.toBe(two[1]);
    const shared = evaluated(
      `(inner => [1, 2].map(n => ${JAVASCRIPT_VALUES.different('{ n, inner }')}))({ a: 1 })`,
    ) as { inner: object }[];
    expect(shared[0]!.inner).toBe(shared[1]!.inner);
    expect(Object.getOwnPropertyNames(globalThis).filter(name => /different/.test(name))).toEqual([]);
  });

  test('the code runs even if its value is discarded', () => {
    expect(
      evaluated(`[n => ${JAVASCRIPT_VALUES.dropped('n.push(1)')}].map(f => [[]].map(n => [f(n), n]))`),
    ).toEqual([[[undefined, [1]]]]);
  });
});
