/** A package in a folder of a monorepo without workspaces; the user runs `dure` in that folder. */

import { manifest } from '../package-json.ts';
import type { Sample } from '../sample.ts';

const queue = (take: string, more = '') => `export class Queue {
  #items = [];

  add(item) {
    this.#items.push(item);
  }

  take() {
    return this.#items.${take};
  }
${more}}
`;
const SIZE = '\n  get size() {\n    return this.#items.length;\n  }\n';
const test = (expected: number, how = 'test') => `import { expect, test } from 'vitest';
import { Queue } from '../src/queue.js';

${how}('first in, first out', () => {
  const queue = new Queue();
  queue.add(1);
  queue.add(2);
  expect(queue.take()).toBe(${expected});
});
test('an empty queue gives nothing', () => expect(new Queue().take()).toBeUndefined());
`;
const OLD = 'services/jobs/test/queue.test.js';

export const subPackage: Sample = {
  name: 'a sub-package of a monorepo',
  missing: null,
  files: {
    'README.md': '# Many things\n',
    'site/index.html': '<!doctype html><title>Jobs</title>\n',
    '.gitignore': 'node_modules/\n',
    'services/jobs/package.json': manifest({
      scripts: { test: 'vitest run' },
      devDependencies: { vitest: '^4.0.0' },
    }),
    'services/jobs/src/queue.js': queue('shift()'),
    [OLD]: test(1),
  },
  lock: 'cd services/jobs && npm install --package-lock-only',
  directory: 'services/jobs',
  honest: { 'services/jobs/src/queue.js': queue('shift()', SIZE) },
  breaking: { 'services/jobs/src/queue.js': queue('pop()', SIZE) },
  silenced: {
    edited: { [OLD]: test(2) },
    skipped: { [OLD]: test(1, 'test.skip') },
    deleted: { [OLD]: null },
  },
  uncommitted: { 'services/jobs/src/queue.js': 'export class Queue {}\n' },
  verifier: {
    command: 'vitest',
    existing: OLD,
    imports: "from '(\\.[^']+)'",
    place: 'services/jobs/test/size.test.js',
    test: `import { expect, test } from 'vitest';
import { Queue } from '{{import}}';

test('a queue knows its size', () => {
  const queue = new Queue();
  queue.add('a');
  expect(queue.size).toBe(1);
});
`,
  },
};
