/** Determines the test runner of a Python project from its configuration and test files. It only reads files. */
import type { Dirent } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { unlessDiskFails } from '../../../formats/file-system/temporary-disk-errors.ts';
import { tableAt } from '../../../formats/schema/json-access.ts';
import type { Folder } from '../folder-reader.ts';

export type PythonTests =
  | { readonly by: 'pytest' }
  /** Arguments of `python -m unittest`. */
  | { readonly by: 'unittest'; readonly args: readonly string[] };

const TEST_FILE = /^(test_.*|tests?|.*_tests?)\.py$/;
const NO_TESTS = /^(\..*|node_modules|build|dist|docs?|examples?|venv|env|__pycache__)$/;
const MAX_DEPTH = 4;
const MAX_FILES = 200;

/** Null when the project's files do not name pytest and there are no tests. */
export async function pythonTests(folder: Folder): Promise<PythonTests | null> {
  if (await namesPytest(folder)) return { by: 'pytest' };
  const files = (await testFiles(folder.path)).slice(0, MAX_FILES);
  if (files.length === 0) return null;
  if (await importPytest(folder.path, files)) return { by: 'pytest' };
  const start = commonFolder(files);
  const pattern = patternFor(files.map(file => basename(file)));
  const isPackage = start !== '.' && (await hasInit(join(folder.path, start)));
  return {
    by: 'unittest',
    args: [
      ...['discover', '-v', '-s', start],
      ...(pattern === 'test*.py' ? [] : ['-p', pattern]),
      ...(isPackage ? ['-t', '.'] : []),
    ],
  };
}

/** Whether the text contains `name` as a requirement, rather than as part of another word or as a section name. */
export const requires = (text: string, name: string): boolean =>
  new RegExp(`(?:^|["'\\s])${name}(?=$|["'\\s<>=~!;,\\[])`, 'm').test(text);

async function namesPytest(folder: Folder): Promise<boolean> {
  if (folder.has('pytest.ini') || folder.has('conftest.py')) return true;
  const [pyproject, table, cfg, script, tox] = await Promise.all([
    folder.text('pyproject.toml'),
    folder.toml('pyproject.toml'),
    folder.text('setup.cfg'),
    folder.text('setup.py'),
    folder.text('tox.ini'),
  ]);
  return (
    'pytest' in tableAt(table, 'tool') ||
    /^\[tool:pytest\]/m.test(cfg ?? '') ||
    /^\[pytest\]|\bpytest\b/m.test(tox ?? '') ||
    [pyproject, cfg, script].some(text => requires(text ?? '', 'pytest'))
  );
}

/** Lists the relative paths of test files. A folder's own files come before those of its subfolders. */
async function testFiles(top: string, below = '', depth = 0): Promise<string[]> {
  const entries = await readdir(join(top, below), { withFileTypes: true }).catch(
    unlessDiskFails([] as Dirent[]),
  );
  const names = entries.map(entry => entry.name).sort();
  if (names.includes('pyvenv.cfg')) return [];
  const isFolder = new Set(entries.filter(entry => entry.isDirectory()).map(entry => entry.name));
  const files = names
    .filter(name => TEST_FILE.test(name) && !isFolder.has(name))
    .map(name => join(below, name));
  if (depth === MAX_DEPTH) return files;
  const folders = names.filter(name => isFolder.has(name) && !NO_TESTS.test(name));
  const nested = await Promise.all(folders.map(name => testFiles(top, join(below, name), depth + 1)));
  return [...files, ...nested.flat()];
}

async function importPytest(top: string, files: readonly string[]): Promise<boolean> {
  const folders = [...new Set(files.map(dirname))];
  const configured = await Promise.all(
    folders.map(async name => (await readdir(join(top, name))).includes('conftest.py')),
  );
  if (configured.includes(true)) return true;
  const texts = await Promise.all(
    files.map(file => readFile(join(top, file), 'utf8').catch(unlessDiskFails(''))),
  );
  return texts.some(text => /^\s*(import|from) pytest\b|^(async )?def test_/m.test(text));
}

function commonFolder(files: readonly string[]): string {
  const [first = [], ...others] = files.map(file => dirname(file).split('/'));
  const differs = first.findIndex((part, at) => others.some(other => other[at] !== part));
  return (differs < 0 ? first : first.slice(0, differs)).join('/') || '.';
}

function patternFor(names: readonly string[]): string {
  const fits = (pattern: RegExp) => names.every(name => pattern.test(name));
  if (fits(/^test/)) return 'test*.py';
  return fits(/_test\.py$/) ? '*_test.py' : '*test*.py';
}

const hasInit = async (path: string): Promise<boolean> => (await readdir(path)).includes('__init__.py');
