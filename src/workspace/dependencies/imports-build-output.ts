/**
 * Determines whether code that runs in tests imports build output, so that unneeded builds, which could fail, are
 * skipped. It only compares names of packages, folders and files in manifests, scripts and tests.
 */

import { escapeRegExp } from '../../formats/text/text-patterns.ts';
import { scriptsOf } from './node/node-project.ts';
import { dependenciesOf, type Manifest } from './node/package-json-files.ts';

export interface SourceFile {
  readonly path: string;
  readonly text: string;
}

/** Matches a JavaScript project's tests and programs by their conventional names. */
export const runsInTests = (path: string): boolean =>
  /\.[cm]?[jt]sx?$/.test(path) &&
  (/(?:^|\/)(?:tests?|__tests__|specs?|bin)\//.test(path) ||
    /(?:^|[./-])(?:test|spec)s?\.[cm]?[jt]sx?$/.test(path));

/** `entries` are the files that the build writes, relative to the package. */
export function importsBuilt(
  { json }: Manifest,
  entries: readonly string[],
  packages: readonly Manifest[],
  files: readonly SourceFile[],
): boolean {
  const name = String(json['name'] ?? '');
  const isDependency = name !== '' && packages.some(other => dependenciesOf(other.json).includes(name));
  const folders = [...new Set(entries.map(entry => entry.split('/')[0]!))];
  const pattern = importOf(name, folders, entries);
  return (
    isDependency ||
    folders.some(folder => mentions(scriptsOf(json)['test'] ?? '', folder)) ||
    files.some(({ text }) => pattern.test(text))
  );
}

const mentions = (script: string, folder: string): boolean =>
  new RegExp(`(?:^|[\\s'"/])${escapeRegExp(folder)}(?:$|[\\s'"/])`).test(script);

/**
 * Matches an import of the package by name or of its top folder (`..`, which resolves to `main`), or a path into the
 * build output, which tests may also pass to a program.
 */
function importOf(name: string, folders: readonly string[], entries: readonly string[]): RegExp {
  const plain = entries.filter(entry => !entry.includes('/'));
  const modules = [
    ...(name === '' ? [] : [`${escapeRegExp(name)}(?:/[^'"]*)?`]),
    String.raw`\.\.?(?:/\.\.)*/?`,
  ];
  const paths = [
    ...folders.filter(folder => !plain.includes(folder)).map(folder => `${escapeRegExp(folder)}(?:/[^'"]*)?`),
    ...plain.map(entry => String.raw`${escapeRegExp(entry.replace(/\.\w+$/, ''))}(?:\.\w+)?`),
  ];
  return new RegExp(
    String.raw`(?:\bfrom|\bimport|\brequire(?:\.resolve)?\s*\(|\bimport\s*\()\s*['"](?:${modules.join('|')})['"]|['"](?:\.\.?/)+(?:${paths.join('|')})['"]`,
  );
}
