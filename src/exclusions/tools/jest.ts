/**
 * Jest crawls every folder, and confuses packages of the same name. What `modulePathIgnorePatterns` names it does not
 * even crawl. `<rootDir>` keeps the pattern from matching inside a run's worktree, which lies below `.dure/`.
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
import { addItem, JSON_STYLE, styleOf } from '../insert.ts';
import { knownPart, memberOf, type ObjectPart, skipSpace, Unsure } from '../literal.ts';

const ENDINGS = ['js', 'ts', 'mjs', 'cjs', 'mts', 'cts', 'json'];
const PATTERN = '<rootDir>/.dure/';

export const jest: Tool = files => {
  const own = firstOf(files, 'jest.config', ENDINGS);
  if (own) return inFile(files, own, ['modulePathIgnorePatterns']);
  const isInPackage = packageOf(files)['jest'] !== undefined || dependsOn(files, 'jest');
  return isInPackage ? inFile(files, 'package.json', ['jest', 'modulePathIgnorePatterns']) : null;
};

function inFile(files: RootFiles, file: string, path: readonly string[]): Finding {
  const source = files.get(file)!;
  const isJson = file.endsWith('.json');
  try {
    const root = isJson ? jsonRoot(source) : moduleRoot(source);
    const settings = path.length > 1 ? memberOf(root, path[0]!)?.value : root;
    if (settings?.is === 'object' && memberOf(settings, 'projects'))
      throw new Unsure('each project has its own patterns');
    const style = isJson ? JSON_STYLE : styleOf(source);
    const added = addItem(source, root, { path, item: PATTERN }, style, coversDure);
    return added
      ? { tool: 'jest', is: 'offered', file, after: added.source }
      : { tool: 'jest', is: 'covered', file, why: 'its modulePathIgnorePatterns name .dure' };
  } catch (error) {
    if (!(error instanceof Unsure)) throw error;
    return { tool: 'jest', is: 'by-hand', file, add: `modulePathIgnorePatterns: ['${PATTERN}']` };
  }
}

const moduleRoot = (source: string): ObjectPart =>
  objectIn(source, exportedPart(source), ['defineConfig', 'createJestConfig']);

/** Of JSON, with comments or without. */
export function jsonRoot(source: string): ObjectPart {
  const part = knownPart(source, skipSpace(source, 0));
  if (part?.is !== 'object') throw new Unsure('not an object');
  return part;
}
