/** CONTRIBUTING.md matches the repository, and package.json registers the plugins in it. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const root = new URL('../../', import.meta.url).pathname;

const contributing = readFileSync(`${root}CONTRIBUTING.md`, 'utf8');
const section = contributing.split('\n## The tree\n')[1]?.split('\n## ')[0];
const rows = [...(section ?? '').matchAll(/^\| `([^`]+)` \|/gm)].map(([, path]) => path!);

test('the table in CONTRIBUTING.md names only folders and files that exist', () => {
  expect(rows.length).toBeGreaterThan(10);
  expect(rows.filter(path => !existsSync(root + path))).toEqual([]);
});

test('the table in CONTRIBUTING.md names every folder in src', () => {
  const folders = readdirSync(`${root}src`, { withFileTypes: true }).filter(entry => entry.isDirectory());
  const missing = folders
    .map(({ name }) => `src/${name}/`)
    .filter(folder => !rows.some(path => path.startsWith(folder)));
  expect(missing).toEqual([]);
});

test('CONTRIBUTING.md mentions only files that exist', () => {
  const mentioned = [...contributing.matchAll(/`((?:src|plugins|test|scripts)\/[^`\s*]+)`/g)].map(
    ([, path]) => path!,
  );
  expect(mentioned.length).toBeGreaterThan(40);
  expect(mentioned.filter(path => !/NAME/.test(path) && !existsSync(root + path))).toEqual([]);
});

test('every name that CONTRIBUTING.md attributes to a file is in that file', () => {
  const named = [
    ...contributing.matchAll(/((?:`\w+`(?:,| and)? )+)in `((?:src|plugins)\/[^`]+\.ts)`/g),
  ].flatMap(([, names, path]) =>
    [...names!.matchAll(/`(\w+)`/g)].map(([, name]) => ({ name: name!, path: path! })),
  );
  expect(named.length).toBeGreaterThan(5);
  const isIn = ({ name, path }: { name: string; path: string }) =>
    new RegExp(`\\b${name}\\b`).test(readFileSync(root + path, 'utf8'));
  expect(named.filter(each => !isIn(each))).toEqual([]);
});

test('every plugin in plugins/ that contributes to runs is registered', () => {
  const { oclif } = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as {
    oclif: { hooks: { dure: string[] } };
  };
  const contributing = readdirSync(`${root}plugins`).filter(name => {
    const entry = `${root}plugins/${name}/src/index.ts`;
    return existsSync(entry) && /\bdefinePlugin\b/.test(readFileSync(entry, 'utf8'));
  });
  expect(contributing.length).toBeGreaterThan(4);
  expect(oclif.hooks.dure.toSorted()).toEqual(
    contributing.map(name => `./dist/plugins/${name}.js`).toSorted(),
  );
});
