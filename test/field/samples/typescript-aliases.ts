/** TypeScript with path aliases and vitest; `prepare` builds a program that one of the tests runs. */

import { manifest } from '../package-json.ts';
import type { Sample } from '../sample.ts';

const slug = (body: string, more = '') =>
  `export function slug(text: string): string {\n  return ${body};\n}\n${more}`;
const SLUG = "text.trim().toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')";
const TITLE = `
export function title(slugged: string): string {
  return slugged
    .split('-')
    .map(word => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ');
}
`;
const test = (expected: string, how = 'test') => `import { expect, test } from 'vitest';
import { slug } from '@/slug';

${how}('white space around is left out', () => expect(slug(' A b ')).toBe('${expected}'));
test('signs become dashes', () => expect(slug('a & b')).toBe('a-b'));
`;
const OLD = 'test/slug.test.ts';

export const typescriptAliases: Sample = {
  name: 'TypeScript with a build and path aliases',
  missing: null,
  files: {
    'package.json': manifest({
      scripts: {
        prepare: 'npm run build',
        build: 'tsc --project tsconfig.build.json',
        types: 'tsc --noEmit',
        test: 'vitest run',
      },
      devDependencies: { '@types/node': '^20.0.0', typescript: '^7.0.0', vitest: '^4.0.0' },
    }),
    '.gitignore': 'node_modules/\ndist/\n',
    'tsconfig.json': `${JSON.stringify(
      {
        compilerOptions: {
          strict: true,
          target: 'es2023',
          module: 'esnext',
          moduleResolution: 'bundler',
          skipLibCheck: true,
          types: ['node'],
          paths: { '@/*': ['./src/*'] },
        },
        include: ['src', 'test'],
      },
      null,
      2,
    )}\n`,
    'tsconfig.build.json': `${JSON.stringify(
      { extends: './tsconfig.json', compilerOptions: { rootDir: 'src', outDir: 'dist' }, include: ['src'] },
      null,
      2,
    )}\n`,
    'vitest.config.ts': `import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  resolve: { alias: { '@': fileURLToPath(new URL('./src', import.meta.url)) } },
});
`,
    'src/slug.ts': slug(SLUG),
    'src/main.ts':
      "import { slug } from './slug.js';\n\nconsole.log(slug(process.argv.slice(2).join(' ')));\n",
    [OLD]: test('a-b'),
    'test/program.test.ts': `import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';

test('the built program prints a slug', () => {
  expect(execFileSync('node', ['dist/main.js', 'Hello', 'World'], { encoding: 'utf8' })).toBe('hello-world\\n');
});
`,
  },
  lock: 'npm install --package-lock-only --ignore-scripts',
  worked: 'npm install',
  honest: { 'src/slug.ts': slug(SLUG, TITLE) },
  breaking: { 'src/slug.ts': slug("text.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')", TITLE) },
  silenced: {
    edited: { [OLD]: test('-a-b-') },
    skipped: { [OLD]: test('a-b', 'test.skip') },
    deleted: { [OLD]: null },
  },
  uncommitted: { 'src/slug.ts': 'export const slug = (text: string) => text;\n' },
  verifier: {
    command: 'vitest',
    existing: OLD,
    imports: "from '(@/[^']+)'",
    place: 'test/title.test.ts',
    test: `import { expect, test } from 'vitest';
import { title } from '{{import}}';

test('a slug becomes a title', () => expect(title('hello-world')).toBe('Hello World'));
`,
  },
};
