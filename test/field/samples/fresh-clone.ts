/** A fresh clone with nothing installed yet; its tests need packages, and it has a lint script. */

import { manifest } from '../package-json.ts';
import type { Sample } from '../sample.ts';

const parse = (body: string, more = '') => `import { z } from 'zod';

const port = z.coerce.number().int().min(1).max(65535);

export function parsePort(text) {
  return ${body};
}
${more}`;
const PARSE = 'port.parse(text)';
const PORTS =
  "\nexport function parsePorts(text) {\n  return text.split(',').map(one => port.parse(one.trim()));\n}\n";
const test = (body: string, how = 'test') => `import assert from 'node:assert';
import { test } from 'node:test';
import { parsePort } from '../src/port.js';

${how}('a port that is too large is refused', () => {
  ${body};
});
test('a port is a number', () => assert.strictEqual(parsePort('80'), 80));
`;
const HELD = "assert.throws(() => parsePort('70000'))";
const OLD = 'test/port.test.js';

export const freshClone: Sample = {
  name: 'a fresh clone without dependencies',
  missing: null,
  files: {
    'package.json': manifest({
      scripts: { test: 'node --test test/', lint: 'node lint.js' },
      dependencies: { zod: '^4.0.0' },
    }),
    '.gitignore': 'node_modules/\n',
    'lint.js': `import { readFileSync } from 'node:fs';

if (readFileSync('src/port.js', 'utf8').includes('var ')) throw new Error('no var');
`,
    'src/port.js': parse(PARSE),
    [OLD]: test(HELD),
  },
  lock: 'npm install --package-lock-only',
  honest: { 'src/port.js': parse(PARSE, PORTS) },
  breaking: { 'src/port.js': parse('Number(text)', PORTS) },
  silenced: {
    edited: { [OLD]: test("assert.strictEqual(parsePort('70000'), 70000)") },
    skipped: { [OLD]: test(HELD, 'test.skip') },
    deleted: { [OLD]: null },
  },
  uncommitted: { 'src/port.js': 'export const parsePort = () => null;\n' },
  verifier: {
    command: 'node --test',
    existing: OLD,
    imports: "from '(\\.[^']+)'",
    place: 'test/ports.test.js',
    test: `import assert from 'node:assert';
import { test } from 'node:test';
import { parsePorts } from '{{import}}';

test('ports are separated by commas', () => assert.deepStrictEqual(parsePorts('80, 443'), [80, 443]));
test('each of them is checked', () => assert.throws(() => parsePorts('80,0')));
`,
  },
};
