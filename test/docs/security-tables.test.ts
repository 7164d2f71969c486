/** The tables of docs/security.md list exactly the attacks that are tested, with the results that the tests expect. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { HOSTILE_ACTS } from '../forgeries/hostile-acts.ts';
import { REPOSITORY_FORGERIES } from '../forgeries/repository-forgeries.ts';
import { FORGERIES } from '../forgeries/test-result-forgeries.ts';

const at = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

/** Cells by id. */
const rows = new Map(
  at('docs/security.md')
    .split('\n')
    .filter(line => /^\| [fgh]\d\d[a-z]? \|/.test(line))
    .map(line =>
      line
        .slice(1, -1)
        .split(' | ')
        .map(cell => cell.trim()),
    )
    .map(([id, ...cells]) => [id!, cells] as const),
);
const ids = (letter: string): string[] => [...rows.keys()].filter(id => id.startsWith(letter)).sort();

test('docs/security.md lists every forgery of the test result with its outcomes', () => {
  expect(ids('f')).toEqual(FORGERIES.map(({ id }) => id).sort());
  const SAID = { held: 'held', warned: 'warned', passed: '**passes**' };
  for (const { id, what, inSandbox, without } of FORGERIES)
    expect(rows.get(id), id).toEqual([what, SAID[inSandbox], SAID[without]]);
});

test('docs/security.md lists every forgery of the repository with its outcome', () => {
  for (const { id, what, fate } of REPOSITORY_FORGERIES)
    expect(rows.get(id), id).toEqual([what, fate === 'passes' ? '**passes**' : fate]);
  const elsewhere = ids('g').filter(id => !REPOSITORY_FORGERIES.some(one => one.id === id));
  const tests = ['forged-decisions', 'linked-folders', 'strict-sandbox']
    .map(name => at(`test/forgeries/${name}.test.ts`))
    .join('');
  for (const id of elsewhere) expect(tests, id).toContain(id);
});

test('docs/security.md lists every hostile act with its outcomes in the sandbox and without it', () => {
  expect(ids('h')).toEqual(HOSTILE_ACTS.map(({ id }) => id));
  for (const { id, what, off, shownBy } of HOSTILE_ACTS) {
    const [act, strict, without] = rows.get(id)!;
    expect(act, id).toBe(`An agent ${what}`);
    expect(strict, id).toMatch(/^held/);
    expect(without!.startsWith(off), `${id}: ${without}`).toBe(true);
    if (!shownBy) continue;
    expect(without, id).toContain(shownBy);
    expect(rows.has(shownBy), shownBy).toBe(true);
  }
});
