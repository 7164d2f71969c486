/** The table "The tree" in CONTRIBUTING.md matches the folders of the repository. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const root = new URL('../../', import.meta.url).pathname;

const section = readFileSync(`${root}CONTRIBUTING.md`, 'utf8').split('\n## The tree\n')[1]?.split('\n## ')[0];
const rows = [...(section ?? '').matchAll(/^\| `([^`]+)` \|/gm)].map(([, path]) => path!);

test('the table of CONTRIBUTING.md names only folders and files that exist', () => {
  expect(rows.length).toBeGreaterThan(10);
  expect(rows.filter(path => !existsSync(root + path))).toEqual([]);
});

test('the table of CONTRIBUTING.md names every folder of src', () => {
  const folders = readdirSync(`${root}src`, { withFileTypes: true }).filter(entry => entry.isDirectory());
  const missing = folders
    .map(({ name }) => `src/${name}/`)
    .filter(folder => !rows.some(path => path.startsWith(folder)));
  expect(missing).toEqual([]);
});
