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

export interface Edit {
  /** Below the root. */
  readonly file: string;
  /** Null for a file that is to be made. */
  readonly before: string | null;
  readonly after: string;
}

export interface Exclusions {
  readonly findings: readonly Finding[];
  /** One for each file: several tools may need a line in the same one. */
  readonly edits: readonly Edit[];
}

/** Pure: what the tools that these files speak of need. */
export function exclusionsIn(files: RootFiles): Exclusions {
  const now = new Map(files);
  const findings: Finding[] = [];
  for (const tool of TOOLS) {
    const finding = tool(now);
    if (!finding) continue;
    findings.push(finding);
    if (finding.is === 'offered') now.set(finding.file, finding.after);
  }
  const changed = [...now].filter(([file, text]) => files.get(file) !== text);
  const edits = changed.map(([file, after]) => ({ file, before: files.get(file) ?? null, after }));
  return { findings, edits };
}

export const findExclusions = async (root: string): Promise<Exclusions> =>
  exclusionsIn(await rootFiles(root));

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
