/** Yarn berry with workspaces and node_modules folders; the tests run with jest. */

import { manifest } from '../package-json.ts';
import type { Sample } from '../sample.ts';

const dates = (leap: string, more = '') => `exports.isLeap = year => ${leap};\n${more}`;
const LEAP = '(year % 4 === 0 && year % 100 !== 0) || year % 400 === 0';
const DAYS = 'exports.daysIn = year => (exports.isLeap(year) ? 366 : 365);\n';
const test = (expected: boolean, how = 'test') => `const { isLeap } = require('../index.js');

${how}('1900 was no leap year', () => expect(isLeap(1900)).toBe(${expected}));
test('2024 was one', () => expect(isLeap(2024)).toBe(true));
`;
const OLD = 'packages/dates/__tests__/leap.test.js';
const commonjs = { type: 'commonjs' };

export const yarnBerry: Sample = {
  name: 'yarn berry',
  missing: null,
  files: {
    'package.json': manifest({
      ...commonjs,
      packageManager: 'yarn@4.18.1',
      workspaces: ['packages/*'],
      scripts: { test: 'jest' },
      devDependencies: { jest: '^29.0.0' },
    }),
    '.yarnrc.yml': 'nodeLinker: node-modules\n',
    '.gitignore': 'node_modules/\n.yarn/\n',
    'packages/dates/package.json': manifest({ ...commonjs, name: '@sample/dates', main: 'index.js' }),
    'packages/dates/index.js': dates(LEAP),
    [OLD]: test(false),
    'packages/calendar/package.json': manifest({
      ...commonjs,
      name: '@sample/calendar',
      main: 'index.js',
      dependencies: { '@sample/dates': 'workspace:^' },
    }),
    'packages/calendar/index.js':
      "const { isLeap } = require('@sample/dates');\n\nexports.february = year => (isLeap(year) ? 29 : 28);\n",
    'packages/calendar/__tests__/february.test.js': `const { february } = require('..');

test('February of a leap year', () => expect(february(2024)).toBe(29));
`,
  },
  lock: 'yarn install --mode=update-lockfile',
  worked: 'yarn install',
  honest: {
    'packages/dates/index.js': dates(LEAP, DAYS),
    'packages/calendar/index.js': `const { daysIn, isLeap } = require('@sample/dates');

exports.february = year => (isLeap(year) ? 29 : 28);
exports.days = (from, to) => {
  let days = 0;
  for (let year = from; year <= to; year += 1) days += daysIn(year);
  return days;
};
`,
  },
  breaking: { 'packages/dates/index.js': dates('year % 4 === 0', DAYS) },
  sibling: { 'packages/dates/index.js': dates(LEAP, 'exports.daysIn = () => NaN;\n') },
  silenced: {
    edited: { [OLD]: test(true) },
    skipped: { [OLD]: test(false, 'test.skip') },
    deleted: { [OLD]: null },
  },
  uncommitted: { 'packages/dates/index.js': 'exports.isLeap = () => null;\n' },
  verifier: {
    command: 'jest',
    existing: 'packages/calendar/__tests__/february.test.js',
    imports: "require\\('(\\.[^']*)'\\)",
    place: 'packages/calendar/__tests__/days.test.js',
    test: `const { days } = require('{{import}}');

test('four years have one day more', () => expect(days(2021, 2024)).toBe(4 * 365 + 1));
`,
  },
};
