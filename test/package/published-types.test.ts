/** The published types of file formats match the shapes. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { writeTypes } from '../../scripts/generate-types.mjs';
import { packageRoot } from '../../src/process/package-paths-and-version.ts';

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'dure-types-'));
  await writeTypes(join(dir, 'types'));
});
afterAll(() => rm(dir, { recursive: true, force: true, maxRetries: 20 }));

const NAMES = ['RunSummary', 'Config', 'RunEvent', 'Verdict'];

const compiled = async (text: string): Promise<string> => {
  const sources = { extends: join(packageRoot, 'tsconfig.json'), include: ['check.ts'], exclude: [] };
  await writeFile(join(dir, 'check.ts'), text);
  await writeFile(
    join(dir, 'tsconfig.json'),
    JSON.stringify({
      ...sources,
      compilerOptions: { types: ['node'], typeRoots: [join(packageRoot, 'node_modules/@types')] },
    }),
  );
  const tsc = join(packageRoot, 'node_modules/.bin/tsc');
  return promisify(execFile)(tsc, ['-p', dir]).then(
    ({ stdout }) => stdout,
    (error: { stdout: string }) => error.stdout,
  );
};

const entries = () => `
  import type * as Published from ${JSON.stringify(join(dir, 'types/index.d.ts'))};
  import type * as Sources from ${JSON.stringify(join(packageRoot, 'src/index.ts'))};
  type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : 'too wide') : 'too narrow';`;

it('the published types match their sources', async () => {
  const checks = NAMES.map(name => `true satisfies Same<Published.${name}, Sources.${name}>;`);
  expect(await compiled(`${entries()}\n${checks.join('\n')}`)).toBe('');
});

it('comparing a published type with a different source type does not compile', async () => {
  const text = `${entries()}\ntrue satisfies Same<Published.RunSummary, Sources.Verdict>;`;
  expect(await compiled(text)).toContain('error TS');
});
