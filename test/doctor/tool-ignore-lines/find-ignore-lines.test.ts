/** Detects tools that would read files under `.dure/`, and the ignore line for each. */
import { describe, expect, it } from 'vitest';
import { ignoreLinesFor } from '../../../src/doctor/tool-ignore-lines/find-ignore-lines.ts';

const found = (files: Record<string, string>) =>
  ignoreLinesFor(new Map(Object.entries(files))).map(one => [one.tool, one.is, one.file]);
const line = (files: Record<string, string>): string =>
  ignoreLinesFor(new Map(Object.entries(files))).flatMap(one => (one.is === 'needed' ? [one.add] : []))[0] ??
  '';

describe('a tool that reads dot folders', () => {
  it.each([
    ['vitest', 'vitest.config.ts', 'export default {};', "'.dure/**'"],
    ['jest', 'jest.config.js', 'module.exports = {};', "['<rootDir>/.dure/']"],
    ['eslint', 'eslint.config.js', 'export default [];', "ignores: ['.dure/']"],
    ['biome', 'biome.json', '{}', '"includes": ["**", "!.dure"]'],
    ['mocha', '.mocharc.json', '{ "recursive": true, "spec": "." }', '".dure/**"'],
    ['tsc', 'tsconfig.json', '{ "include": ["**/*.ts", ".*/**/*.ts"] }', '".dure"'],
  ])('%s needs a line in %s unless the file mentions .dure', (tool, file, source, part) => {
    expect(found({ [file]: source })).toEqual([[tool, 'needed', file]]);
    expect(line({ [file]: source })).toContain(part);
    expect(found({ [file]: `${source}\n// ${line({ [file]: source })}` })).toEqual([[tool, 'covered', file]]);
  });

  it('prettier needs a line in its ignore file unless that file or .gitignore already has one', () => {
    expect(found({ '.prettierrc': '{}' })).toEqual([['prettier', 'needed', '.prettierignore']]);
    expect(found({ '.prettierrc': '{}', '.gitignore': '.dure/\n' })).toEqual([
      ['prettier', 'covered', '.gitignore'],
    ]);
  });

  describe.each([
    ['prettier', '.prettierrc'],
    ['eslint', 'eslint.config.js'],
  ])('%s, if scripts run it,', (tool, file) => {
    const is = (...scripts: string[]) =>
      found({
        [file]: '',
        'package.json': JSON.stringify({ scripts: Object.fromEntries(scripts.map((line, n) => [n, line])) }),
      }).map(([, each]) => each)[0];

    it.each([
      '-c src test',
      '--cache "src/**/*.js" \'{test,bin}/*.ts\'',
      '*.js',
      '"*"',
      '. "!.dure"',
      '--config .config/x.json --ignore-path . ./src',
      'src || true',
    ])('needs no ignore line when called with %s', args => {
      expect(is(`tsc && npx ${tool} ${args}`)).toBe('covered');
    });

    it.each([
      '.',
      './',
      '',
      '--config .config/x.json',
      '"**/*.js"',
      "'./**/*.js'",
      "'*/**/*.js'",
      "'{src,.*}/**'",
      'src "$MORE"',
      '../x',
      '`cat list`',
    ])('needs a line when called with %s', args => {
      expect(is(`cross-env A=1 ${tool} ${args}`)).toBe('needed');
    });

    it('needs a line when only one of several calls needs it, and when another tool starts it', () => {
      expect(is(`${tool} src`, `(cd a; ${tool} .)`)).toBe('needed');
      expect(is(`${tool} src`, `concurrently "${tool} ."`)).toBe('needed');
      expect(is('tsc')).toBe('needed');
    });

    it('needs no line if the only call without arguments runs a script that has the name of the tool', () => {
      const scripts = { [tool]: `${tool} src`, all: `npm run ${tool} && yarn ${tool}` };
      expect(found({ [file]: '', 'package.json': JSON.stringify({ scripts }) })[0]?.[1]).toBe('covered');
    });
  });

  it('for vitest without a configuration file, the whole text of a new one is suggested', () => {
    const [advice] = ignoreLinesFor(new Map([['package.json', '{ "devDependencies": { "vitest": "4" } }']]));
    expect(advice).toMatchObject({ is: 'needed', file: 'vitest.config.mjs', how: 'create' });
    expect(advice?.is === 'needed' && advice.add).toMatch(/^import .* export default .*'\.dure\/\*\*'/);
    const [present] = ignoreLinesFor(new Map([['vitest.config.mjs', 'export default {};']]));
    expect(present).toMatchObject({ is: 'needed', how: 'add' });
  });

  it('node --test without files is reported with the script that calls it', () => {
    expect(line({ 'package.json': '{ "scripts": { "unit": "node --test" } }' })).toContain('script unit');
  });

  it('settings in package.json count as a configuration file of the tool', () => {
    const settings = { jest: { modulePathIgnorePatterns: ['<rootDir>/.dure/'] } };
    expect(found({ 'package.json': JSON.stringify(settings) })).toEqual([
      ['jest', 'covered', 'package.json'],
    ]);
    expect(found({ 'package.json': '{ "devDependencies": { "jest": "30" } }' })).toEqual([
      ['jest', 'needed', 'package.json'],
    ]);
  });
});

it('tools that skip dot folders need no line', () => {
  const files = {
    'package.json': '{ "devDependencies": { "oxlint": "1" } }',
    'tsconfig.json': '{ "include": ["src"] }',
    '.mocharc.json': '{ "spec": "**/*.mocha.cjs" }',
    '.eslintrc.json': '{}',
  };
  expect(found(files).map(([, is]) => is)).toEqual(['covered', 'covered', 'covered', 'covered']);
});
