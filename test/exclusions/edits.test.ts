/** What is offered for the shapes that configuration files have, as text. */
import { describe, expect, it } from 'vitest';
import { exclusionsIn } from '../../src/exclusions/find.ts';

/** What becomes of one file, and how each tool stands. */
function offered(files: Record<string, string>) {
  const { findings, edits } = exclusionsIn(new Map(Object.entries(files)));
  return {
    tools: findings.map(({ tool, is }) => `${tool}: ${is}`),
    after: Object.fromEntries(edits.map(({ file, after }) => [file, after])),
  };
}

describe('vitest', () => {
  it.each([
    [
      'an object without test',
      "import { defineConfig } from 'vitest/config';\nexport default defineConfig({\n  plugins: [],\n});\n",
      "import { configDefaults, defineConfig } from 'vitest/config';\nexport default defineConfig({\n  plugins: [],\n  test: { exclude: [...configDefaults.exclude, '.dure/**'] },\n});\n",
    ],
    [
      'excludes of its own, one a line, with a comment',
      "import { defineConfig } from 'vitest/config'\nexport default defineConfig({\n  test: {\n    exclude: [\n      'a/**',\n      'b/**', // not yet\n    ],\n  },\n})\n",
      "import { defineConfig } from 'vitest/config'\nexport default defineConfig({\n  test: {\n    exclude: [\n      'a/**',\n      'b/**', // not yet\n      '.dure/**',\n    ],\n  },\n})\n",
    ],
    [
      'a constant, in one line, with double quotes',
      'import { configDefaults, defineConfig } from "vitest/config";\nconst config = defineConfig({ test: { exclude: [...configDefaults.exclude] } });\nexport default config;\n',
      'import { configDefaults, defineConfig } from "vitest/config";\nconst config = defineConfig({ test: { exclude: [...configDefaults.exclude, ".dure/**"] } });\nexport default config;\n',
    ],
    [
      'a configuration merged with another',
      "import { defineConfig, mergeConfig } from 'vitest/config';\nimport base from './vite.config';\nexport default mergeConfig(base, defineConfig({ test: {} }));\n",
      "import { configDefaults, defineConfig, mergeConfig } from 'vitest/config';\nimport base from './vite.config';\nexport default mergeConfig(base, defineConfig({ test: { exclude: [...configDefaults.exclude, '.dure/**'] } }));\n",
    ],
  ])('%s', (_, before, after) => {
    expect(offered({ 'vitest.config.ts': before })).toEqual({
      tools: ['vitest: offered'],
      after: { 'vitest.config.ts': after },
    });
  });

  it.each([
    ['a function', 'export default defineConfig(({ mode }) => ({ test: {} }));'],
    ['projects', "export default { test: { projects: ['packages/*'] } };"],
    ['a spread that may hold the key', 'export default { ...base };'],
    ['an exclude made elsewhere', 'export default { test: { exclude: excludes } };'],
    ['two exports', 'export default {};\nmodule.exports = {};'],
    ['something behind the literal', 'export default {}.x;'],
    ['a text that is torn', 'export default { test: { '],
    ['an export within a comment only', '// export default {}\nfoo();'],
  ])('is left to the person with %s', (_, source) => {
    expect(offered({ 'vitest.config.ts': source })).toEqual({ tools: ['vitest: by-hand'], after: {} });
  });

  it('is not asked for when vite.config has nothing to do with tests', () => {
    expect(offered({ 'vite.config.ts': 'export default { plugins: [] };' }).tools).toEqual([]);
  });

  it('gets a file of its own when it has none', () => {
    const pkg = '{ "type": "module", "devDependencies": { "vitest": "4" } }';
    expect(Object.keys(offered({ 'package.json': pkg }).after)).toEqual(['vitest.config.js']);
  });

  it('in vite.config gets an import beside the others', () => {
    const pkg = '{ "devDependencies": { "vitest": "4" } }';
    const before =
      "/// <reference types=\"node\" />\nimport { defineConfig } from 'vite';\n\nexport default defineConfig({ base: './' });\n";
    expect(offered({ 'package.json': pkg, 'vite.config.ts': before }).after).toEqual({
      'vite.config.ts':
        "/// <reference types=\"node\" />\nimport { configDefaults } from 'vitest/config';\nimport { defineConfig } from 'vite';\n\nexport default defineConfig({ base: './', test: { exclude: [...configDefaults.exclude, '.dure/**'] } });\n",
    });
  });
});

describe('jest', () => {
  it.each([
    [
      'module.exports',
      'jest.config.js',
      "/** @type {import('jest').Config} */\nmodule.exports = {\n  verbose: true\n};\n",
      "/** @type {import('jest').Config} */\nmodule.exports = {\n  verbose: true,\n  modulePathIgnorePatterns: ['<rootDir>/.dure/']\n};\n",
    ],
    [
      'a typed constant with expressions of all kinds',
      'jest.config.ts',
      'const config: Config = {\n  transform: { "\\\\.[jt]sx?$": ["x", {}] }, // a } here\n  testRegex: [/[}/]\\.test/.source, `a$' +
        '{1 + `}`.length}`],\n};\nexport default config;\n',
      'const config: Config = {\n  transform: { "\\\\.[jt]sx?$": ["x", {}] }, // a } here\n  testRegex: [/[}/]\\.test/.source, `a$' +
        '{1 + `}`.length}`],\n  modulePathIgnorePatterns: ["<rootDir>/.dure/"],\n};\nexport default config;\n',
    ],
    [
      'package.json, without any settings',
      'package.json',
      '{\n  "devDependencies": {\n    "jest": "30"\n  }\n}\n',
      '{\n  "devDependencies": {\n    "jest": "30"\n  },\n  "jest": { "modulePathIgnorePatterns": ["<rootDir>/.dure/"] }\n}\n',
    ],
  ])('%s', (_, file, before, after) => {
    expect(offered({ [file]: before })).toEqual({ tools: ['jest: offered'], after: { [file]: after } });
  });

  it('is left to the person with projects', () => {
    expect(offered({ 'jest.config.js': "export default { projects: ['a'] }" }).tools).toEqual([
      'jest: by-hand',
    ]);
  });
});

describe('eslint', () => {
  it.each([
    [
      'a list',
      'export default [\n  js.configs.recommended,\n  { rules: {} },\n];\n',
      "export default [\n  js.configs.recommended,\n  { rules: {} },\n  { ignores: ['.dure/'] },\n];\n",
    ],
    [
      'a list that ignores something already',
      'export default defineConfig([globalIgnores(["dist"]), { files: ["**/*.ts"], ignores: ["x"] }]);\n',
      'export default defineConfig([globalIgnores(["dist", ".dure/"]), { files: ["**/*.ts"], ignores: ["x"] }]);\n',
    ],
    [
      'arguments',
      'export default tseslint.config(\n  eslint.configs.recommended,\n  ...tseslint.configs.recommended\n);\n',
      "export default tseslint.config(\n  eslint.configs.recommended,\n  ...tseslint.configs.recommended,\n  { ignores: ['.dure/'] }\n);\n",
    ],
    ['nothing yet', 'export default [];\n', "export default [{ ignores: ['.dure/'] }];\n"],
  ])('%s', (_, before, after) => {
    expect(offered({ 'eslint.config.js': before })).toEqual({
      tools: ['eslint: offered'],
      after: { 'eslint.config.js': after },
    });
  });

  it('is left to the person when a function makes the list', () => {
    expect(offered({ 'eslint.config.js': 'export default antfu({});' }).tools).toEqual(['eslint: by-hand']);
  });

  it('of the old kind needs a line only when folders with a dot were taken back', () => {
    const config = { '.eslintrc.json': '{}' };
    expect(offered(config).tools).toEqual(['eslint: covered']);
    expect(offered({ ...config, '.eslintignore': '!.*' }).after).toEqual({
      '.eslintignore': '!.*\n.dure/\n',
    });
  });
});

describe('JSON with comments', () => {
  it('keeps every comment and every blank', () => {
    const before =
      '{\n\t// why\n\t"files": {\n\t\t"includes": [\n\t\t\t"**", /* all */\n\t\t\t"!dist"\n\t\t] // end\n\t}\n}\n';
    expect(offered({ 'biome.jsonc': before }).after).toEqual({
      'biome.jsonc': before.replace('"!dist"\n', '"!dist",\n\t\t\t"!.dure"\n'),
    });
  });

  it('keeps the ends of lines', () => {
    const before = '{\r\n  "linter": {}\r\n}\r\n';
    expect(offered({ 'biome.json': before }).after['biome.json']).toBe(
      '{\r\n  "linter": {},\r\n  "files": { "includes": ["**", "!.dure"] }\r\n}\r\n',
    );
  });

  it('of Biome 1, which has other keys, is left to the person', () => {
    expect(offered({ 'biome.json': '{ "files": { "ignore": ["dist"] } }' }).tools).toEqual([
      'biome: by-hand',
    ]);
  });

  it('tsc needs an exclude only when its include reaches folders with a dot', () => {
    expect(offered({ 'tsconfig.json': '{ "include": ["src", "**/*"] }' }).tools).toEqual(['tsc: covered']);
    expect(
      offered({
        'tsconfig.json': '{ "compilerOptions": { "outDir": "out" }, "include": ["**/*", ".*/**/*"] }',
      }).after['tsconfig.json'],
    ).toContain('"exclude": ["node_modules", "out", ".dure"]');
  });
});

describe('several tools', () => {
  it('in one file give one edit that holds what each needs', () => {
    const { after, tools } = offered({
      'package.json': '{\n  "jest": {},\n  "mocha": { "recursive": true, "spec": "." }\n}\n',
    });
    expect(tools).toEqual(['jest: offered', 'mocha: offered']);
    expect(JSON.parse(after['package.json']!)).toEqual({
      jest: { modulePathIgnorePatterns: ['<rootDir>/.dure/'] },
      mocha: { recursive: true, spec: '.', ignore: ['.dure/**'] },
    });
  });

  it('whose exclusions were added need nothing more', () => {
    const files = {
      'package.json': '{ "devDependencies": { "jest": "1", "vitest": "1", "prettier": "3" } }',
      'eslint.config.js': 'export default [];',
      'biome.json': '{}',
    };
    const { after } = offered(files);
    const again = offered({ ...files, ...after });
    expect(again.after).toEqual({});
    expect(again.tools.map(t => t.split(': ')[1])).toEqual(Array(5).fill('covered'));
  });

  it('names the script whose node --test looks everywhere', () => {
    const script = (line: string) => offered({ 'package.json': JSON.stringify({ scripts: { test: line } }) });
    expect(script('node --test').tools).toEqual(['node --test: by-hand']);
    expect(script('node --test test/').tools).toEqual([]);
  });
});
