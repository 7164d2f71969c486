/** jest with its configuration at the root: a setup file, custom module names, and one test that fails on base. */

import { manifest } from '../package-json.ts';
import type { Sample } from '../sample.ts';

const money = (rounded: string, more = '') => `const { currency } = require('~/settings');

exports.round = amount => ${rounded};
exports.shown = amount => \`\${exports.round(amount).toFixed(2)} \${currency()}\`;
${more}`;
const ROUNDED = 'Math.round(amount * 100) / 100';
const SUM = 'exports.sum = amounts => exports.round(amounts.reduce((all, one) => all + one, 0));\n';
const test = (expected: string, how = 'test') => `const { round } = require('~/money');

${how}('half a cent is rounded up', () => expect(round(1.125)).toBe(${expected}));
test('the setup file has run', () => expect(global.currency).toBe('EUR'));
`;
const OLD = 'test/money.test.js';

export const jestRoot: Sample = {
  name: 'jest with root configuration and a setup file',
  missing: null,
  files: {
    'package.json': manifest({
      type: 'commonjs',
      scripts: { test: 'jest' },
      devDependencies: { jest: '^29.0.0' },
    }),
    '.gitignore': 'node_modules/\n',
    'jest.config.js': `module.exports = {
  setupFiles: ['<rootDir>/test/setup.js'],
  moduleNameMapper: { '^~/(.*)$': '<rootDir>/src/$1' },
  testMatch: ['<rootDir>/test/**/*.test.js'],
};
`,
    'test/setup.js': "global.currency = 'EUR';\n",
    'src/settings.js': 'exports.currency = () => global.currency;\n',
    'src/money.js': money(ROUNDED),
    [OLD]: test('1.13'),
    'test/zone.test.js':
      "test('runs in the time zone of its author', () => expect(process.env.TZ).toBe('Pacific/Auckland'));\n",
  },
  lock: 'npm install --package-lock-only',
  honest: { 'src/money.js': money(ROUNDED, SUM) },
  breaking: { 'src/money.js': money('Math.floor(amount * 100) / 100', SUM) },
  silenced: {
    edited: { [OLD]: test('1.12') },
    skipped: { [OLD]: test('1.13', 'test.skip') },
    deleted: { [OLD]: null },
  },
  uncommitted: {
    'src/money.js': 'exports.round = () => NaN;\n',
    'jest.config.js': "module.exports = { setupFiles: ['<rootDir>/test/missing.js'] };\n",
  },
  verifier: {
    command: 'jest',
    existing: OLD,
    imports: "require\\('(~/[^']+)'\\)",
    place: 'test/sum.test.js',
    test: `const { sum, shown } = require('{{import}}');

test('a sum is rounded', () => expect(sum([0.1, 0.2])).toBe(0.3));
test('it is shown in the currency', () => expect(shown(sum([1, 2]))).toBe('3.00 EUR'));
`,
  },
};
