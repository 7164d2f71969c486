import { expect, test } from 'vitest';
import { braceAlternatives, escapeRegExp, globPattern } from '../../src/formats/text/text-patterns.ts';

test('escaped text matches only itself', () => {
  const text = 'a.b*c+d?e^f$g{h}(i)|[j]\\k';
  expect(new RegExp(`^${escapeRegExp(text)}$`).test(text)).toBe(true);
  expect(new RegExp(`^${escapeRegExp('a.b')}$`).test('axb')).toBe(false);
});

test.each([
  ['packages/*', '/', 'packages/a', true],
  ['packages/*', '/', 'packages/a/b', false],
  ['packages/**', '/', 'packages/a/b', true],
  ['package?', '/', 'packages', true],
  ['package?', '/', 'package', false],
  ['constructor', '/', 'constructor', true],
  ['a.b', '/', 'axb', false],
  ['lint:*', ':', 'lint:js', true],
  ['lint:*', ':', 'lint:js:fix', false],
  ['lint:**', ':', 'lint:js:fix', true],
  ['lint:*', ':', 'lint:a/b', true],
] as const)('the pattern %s with the separator %s matches %s: %s', (glob, separator, name, matches) => {
  expect(globPattern(glob, separator).test(name)).toBe(matches);
});

test('braces list alternatives, including nested ones', () => {
  expect(braceAlternatives('{apps,libs}/*')).toEqual(['apps/*', 'libs/*']);
  expect(braceAlternatives('{a,b{c,d}}')).toEqual(['a', 'bc', 'a', 'bd']);
  expect(braceAlternatives('plain')).toEqual(['plain']);
});
