/**
 * Vitest collects tests in every folder but node_modules and .git. Its pattern is taken from where vitest runs, so that
 * inside a run's worktree, which lies below `.dure/`, tests are still found.
 */
import { exportedPart, objectIn } from '../exported.ts';
import {
  coversDure,
  dependsOn,
  type Finding,
  firstOf,
  packageOf,
  type RootFiles,
  type Tool,
} from '../finding.ts';
import { addItem, styleOf } from '../insert.ts';
import { memberOf, Unsure } from '../literal.ts';

const ENDINGS = ['ts', 'mts', 'cts', 'js', 'mjs', 'cjs'];
const PATTERN = '.dure/**';
const DEFAULTS = '...configDefaults.exclude';
const add = `test.exclude: [${DEFAULTS}, '${PATTERN}'] (configDefaults comes from 'vitest/config')`;

export const vitest: Tool = files => {
  const own = firstOf(files, 'vitest.config', ENDINGS);
  const shared = firstOf(files, 'vite.config', ENDINGS);
  const file = own ?? (shared && isUsed(files, shared) ? shared : null);
  if (file) return inModule(files, file);
  if (!dependsOn(files, 'vitest')) return null;
  const name = packageOf(files)['type'] === 'module' ? 'vitest.config.js' : 'vitest.config.mjs';
  return { tool: 'vitest', is: 'offered', file: name, after: NEW };
};

const isUsed = (files: RootFiles, file: string): boolean =>
  dependsOn(files, 'vitest') || /\btest\s*:/.test(files.get(file)!);

const NEW = `import { configDefaults, defineConfig } from 'vitest/config';

export default defineConfig({
  test: { exclude: [${DEFAULTS}, '${PATTERN}'] },
});
`;

function inModule(files: RootFiles, file: string): Finding {
  const source = files.get(file)!;
  try {
    const root = objectIn(source, exportedPart(source), ['defineConfig', 'mergeConfig']);
    const test = memberOf(root, 'test')?.value;
    if (test?.is === 'object' && (memberOf(test, 'projects') ?? memberOf(test, 'workspace')))
      throw new Unsure('each project has its own excludes');
    const addition = { path: ['test', 'exclude'], item: PATTERN, first: [DEFAULTS] };
    const added = addItem(source, root, addition, styleOf(source), coversDure);
    if (!added) return { tool: 'vitest', is: 'covered', file, why: 'its exclude names .dure' };
    const after = added.made ? withDefaults(added.source) : added.source;
    return { tool: 'vitest', is: 'offered', file, after };
  } catch (error) {
    if (!(error instanceof Unsure)) throw error;
    return { tool: 'vitest', is: 'by-hand', file, add };
  }
}

const IMPORT = /^import\s*\{([^}]*)\}\s*from\s*(['"])vitest\/config\2/gm;

/** Sees to it that `configDefaults` is imported. */
function withDefaults(source: string): string {
  const imports = [...source.matchAll(IMPORT)];
  if (imports.some(([, names]) => /\bconfigDefaults\b/.test(names!))) return source;
  if (imports.length > 0) {
    const { index, 0: whole } = imports[0]!;
    const brace = index + whole.indexOf('{') + 1;
    return `${source.slice(0, brace)} configDefaults,${source.slice(brace)}`;
  }
  const first = /^import\b.*$/m.exec(source);
  if (!first) throw new Unsure('no import to put another beside');
  const { quote } = styleOf(source);
  const end = first[0].trimEnd().endsWith(';') || !source.includes('from') ? ';' : '';
  const line = `import { configDefaults } from ${quote}vitest/config${quote}${end}\n`;
  return `${source.slice(0, first.index)}${line}${source.slice(first.index)}`;
}
