/**
 * npm workspaces with node:test: one package imports its sibling by name, and both are linked in the user's working tree.
 */

import { manifest } from '../package-json.ts';
import type { Sample } from '../sample.ts';

const words = (plural: string, more = '') => `export const plural = word => ${plural};\n${more}`;
const ENDS = "word + (word.endsWith('s') ? 'es' : 's')";
const COUNT = "export const count = (n, word) => n + ' ' + plural(word);\n";
const test = (call: string, expected: string, how = 'test') => `import assert from 'node:assert/strict';
import test from 'node:test';
import { plural } from '@sample/words';

${how}('a word that ends in s gets es', () => assert.equal(${call}, '${expected}'));
`;
const OLD = 'packages/words/test/plural.test.js';

export const npmWorkspaces: Sample = {
  name: 'npm workspaces',
  missing: null,
  files: {
    'package.json': manifest({
      workspaces: ['packages/*'],
      scripts: { test: 'node --test packages/words/test packages/report/test' },
    }),
    '.gitignore': 'node_modules/\n',
    'packages/words/package.json': manifest({ name: '@sample/words', exports: './index.js' }),
    'packages/words/index.js': words(ENDS),
    [OLD]: test("plural('bus')", 'buses'),
    'packages/report/package.json': manifest({
      name: '@sample/report',
      exports: './index.js',
      dependencies: { '@sample/words': '1.0.0' },
    }),
    'packages/report/index.js':
      "import { plural } from '@sample/words';\n\nexport const title = word => 'All ' + plural(word);\n",
    'packages/report/test/report.test.js': `import assert from 'node:assert/strict';
import test from 'node:test';
import { title } from '../index.js';

test('a title names all', () => assert.equal(title('apple'), 'All apples'));
`,
  },
  lock: 'npm install --package-lock-only',
  worked: 'npm install',
  honest: {
    'packages/words/index.js': words(ENDS, COUNT),
    'packages/report/index.js': `import { count, plural } from '@sample/words';

export const title = word => \`All \${plural(word)}\`;
export const line = (n, word) => \`- \${count(n, word)}\`;
`,
  },
  breaking: {
    'packages/words/index.js': words("word + 's'", COUNT),
  },
  sibling: {
    'packages/words/index.js': words(
      ENDS,
      'export const count = () => {\n  throw new Error("broken");\n};\n',
    ),
  },
  silenced: {
    edited: { [OLD]: test("plural('bus')", 'buss') },
    skipped: { [OLD]: test("plural('bus')", 'buses', 'test.skip') },
    deleted: { [OLD]: null },
  },
  uncommitted: { 'packages/words/index.js': 'export const plural = () => "nothing";\n' },
  verifier: {
    command: 'node --test',
    existing: 'packages/report/test/report.test.js',
    imports: "from '(\\.[^']+)'",
    place: 'packages/report/test/line.test.js',
    test: `import assert from 'node:assert/strict';
import test from 'node:test';
import { line } from '{{import}}';

test('a line counts', () => assert.equal(line(3, 'apple'), '- 3 apples'));
`,
  },
};
