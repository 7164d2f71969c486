/** A pnpm workspace with vitest at the root; packages depend on each other by `workspace:`. */

import { manifest } from '../package-json.ts';
import type { Sample } from '../sample.ts';

const sizes = (kilo: number, more = '') =>
  `export const kilobytes = bytes => Math.round(bytes / ${kilo});\n${more}`;
const MEGA = (by: string) => `export const megabytes = bytes => ${by};\n`;
const test = (expected: number, how = 'test') => `import { expect, ${how.split('.')[0]} } from 'vitest';
import { kilobytes } from '../src/index.js';

${how}('a kilobyte has 1024 bytes', () => expect(kilobytes(102400)).toBe(${expected}));
`;
const SHORT = `import { kilobytes } from '@sample/sizes';

export const short = bytes => (bytes < 1024 ? bytes + ' B' : kilobytes(bytes) + ' kB');
`;
const OLD = 'packages/sizes/test/sizes.test.js';

export const pnpmWorkspace: Sample = {
  name: 'a pnpm workspace',
  missing: null,
  files: {
    'package.json': manifest({ scripts: { test: 'vitest run' }, devDependencies: { vitest: '^4.0.0' } }),
    'pnpm-workspace.yaml': 'packages:\n  - packages/*\n',
    '.gitignore': 'node_modules/\n',
    'packages/sizes/package.json': manifest({ name: '@sample/sizes', exports: './src/index.js' }),
    'packages/sizes/src/index.js': sizes(1024),
    [OLD]: test(100),
    'packages/shown/package.json': manifest({
      name: '@sample/shown',
      exports: './src/index.js',
      dependencies: { '@sample/sizes': 'workspace:*' },
    }),
    'packages/shown/src/index.js': SHORT,
    'packages/shown/test/short.test.js': `import { expect, test } from 'vitest';
import { short } from '../src/index.js';

test('formats small sizes in bytes', () => expect(short(12)).toBe('12 B'));
`,
  },
  lock: 'pnpm install --lockfile-only',
  worked: 'pnpm install',
  honest: {
    'packages/sizes/src/index.js': sizes(1024, MEGA('Math.round(bytes / 1024 ** 2)')),
    'packages/shown/src/index.js': `import { megabytes } from '@sample/sizes';
${SHORT}
export const long = bytes => megabytes(bytes) + ' MB';
`,
  },
  breaking: { 'packages/sizes/src/index.js': sizes(1000, MEGA('Math.round(bytes / 1024 ** 2)')) },
  sibling: { 'packages/sizes/src/index.js': sizes(1024, MEGA('undefined.bytes')) },
  silenced: {
    edited: { [OLD]: test(102) },
    skipped: { [OLD]: test(100, 'test.skip') },
    deleted: { [OLD]: null },
  },
  uncommitted: { 'packages/sizes/src/index.js': 'export const kilobytes = () => 0;\n' },
  verifier: {
    command: 'vitest',
    existing: 'packages/shown/test/short.test.js',
    imports: "from '(\\.[^']+)'",
    place: 'packages/shown/test/long.test.js',
    test: `import { expect, test } from 'vitest';
import { long } from '{{import}}';

test('a large size is in megabytes', () => expect(long(3 * 1024 ** 2)).toBe('3 MB'));
`,
  },
};
