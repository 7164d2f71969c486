/**
 * Vitest collects tests in every folder except node_modules and .git. The exclude pattern below is relative to the folder
 * in which Vitest runs, so tests inside a run's worktree, which is below `.dure/`, are still found.
 */
import { dependsOn, firstPresent, packageOf, type RootFiles, type Tool, unlessNamed } from './tool.ts';

const ENDINGS = ['ts', 'mts', 'cts', 'js', 'mjs', 'cjs'];
const LINE =
  "test.exclude: [...configDefaults.exclude, '.dure/**'] (configDefaults comes from 'vitest/config')";
const NEW_FILE =
  "import { configDefaults } from 'vitest/config'; export default { test: { exclude: [...configDefaults.exclude, '.dure/**'] } };";

export const vitest: Tool = files => {
  const own = firstPresent(files, 'vitest.config', ENDINGS);
  const shared = firstPresent(files, 'vite.config', ENDINGS);
  const file = own ?? (shared && isUsed(files, shared) ? shared : null);
  if (file) return unlessNamed('vitest', file, files.get(file), LINE);
  if (!dependsOn(files, 'vitest')) return null;
  const name = packageOf(files)['type'] === 'module' ? 'vitest.config.js' : 'vitest.config.mjs';
  return { tool: 'vitest', is: 'needed', file: name, add: NEW_FILE };
};

const isUsed = (files: RootFiles, file: string): boolean =>
  dependsOn(files, 'vitest') || /\btest\s*:/.test(files.get(file)!);
