/** Finds the tools at a project's root that would collect files under `.dure/`. Reads, and never writes. */
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Finding, RootFiles, Tool } from './finding.ts';
import { biome } from './tools/biome.ts';
import { eslint } from './tools/eslint.ts';
import { jest } from './tools/jest.ts';
import { mocha } from './tools/mocha.ts';
import { nodeTest } from './tools/node-test.ts';
import { oxlint } from './tools/oxlint.ts';
import { prettier } from './tools/prettier.ts';
import { typescript } from './tools/typescript.ts';
import { vitest } from './tools/vitest.ts';

const TOOLS: readonly Tool[] = [vitest, jest, mocha, nodeTest, eslint, biome, oxlint, prettier, typescript];

const SPEAKS =
  /^(package\.json|tsconfig\.json|\.?biome\.jsonc?|\.oxlintrc\.jsonc?|\.gitignore|\.eslintignore|\.eslintrc.*|\.prettier.*|prettier\.config\..+|\.mocharc\..+|(vitest|vite|jest|eslint)\.config\.\w+)$/;
const LIMIT = 1_000_000;

/** Pure: what the tools that these files speak of need. */
export const exclusionsIn = (files: RootFiles): Finding[] => TOOLS.flatMap(tool => tool(files) ?? []);

export const findExclusions = async (root: string): Promise<Finding[]> => exclusionsIn(await rootFiles(root));

async function rootFiles(root: string): Promise<RootFiles> {
  const names = (await readdir(root)).filter(name => SPEAKS.test(name)).sort();
  const read = await Promise.all(names.map(name => textOf(join(root, name))));
  return new Map(names.flatMap((name, i) => (read[i] === null ? [] : [[name, read[i]!] as const])));
}

/** These are the person's own files: a link among them is meant. */
async function textOf(file: string): Promise<string | null> {
  const found = await stat(file).catch(() => null);
  return found?.isFile() && found.size <= LIMIT ? readFile(file, 'utf8') : null;
}
