/** A tool at the project's root, and what it needs so that it leaves `.dure/` alone. */
import { DURE_DIR } from '../formats/layout.ts';

/** Texts of the files at the root that say how tools behave, by name. */
export type RootFiles = ReadonlyMap<string, string>;

export type Finding =
  /** Nothing has to be done. */
  | { readonly tool: string; readonly is: 'covered'; readonly file: string; readonly why: string }
  /** The file as it is to be. */
  | { readonly tool: string; readonly is: 'offered'; readonly file: string; readonly after: string }
  /** The file has a shape that Dure does not edit. */
  | { readonly tool: string; readonly is: 'by-hand'; readonly file: string; readonly add: string };

/** Null when the tool is not used here. */
export type Tool = (files: RootFiles) => Finding | null;

interface Package {
  readonly [key: string]: unknown;
}

/** package.json, or an empty object when there is none that can be read. */
export function packageOf(files: RootFiles): Package {
  try {
    const read: unknown = JSON.parse(files.get('package.json') ?? '{}');
    return typeof read === 'object' && read !== null && !Array.isArray(read) ? (read as Package) : {};
  } catch {
    return {};
  }
}

export const dependsOn = (files: RootFiles, name: string): boolean =>
  ['dependencies', 'devDependencies'].some(kind => {
    const listed = packageOf(files)[kind];
    return typeof listed === 'object' && listed !== null && Object.hasOwn(listed, name);
  });

/** The first of these files that is there. */
export const firstOf = (files: RootFiles, stem: string, endings: readonly string[]): string | null =>
  endings.map(ending => `${stem}.${ending}`).find(name => files.has(name)) ?? null;

/** Whether a pattern speaks of the folder as a whole. */
export const coversDure = (pattern: string): boolean =>
  new RegExp(`(^|[/!])\\${DURE_DIR}(/(\\*\\*?(/\\*)?)?)?$`).test(pattern);

/** Lines of an ignore file. */
export const ignores = (text: string | undefined): boolean =>
  (text ?? '').split(/\r?\n/).some(line => coversDure(line.trim()) || ['.*', '/.*'].includes(line.trim()));

/** An ignore file with one more line. */
export const withLine = (text: string | undefined): string =>
  `${text ?? ''}${!text || text.endsWith('\n') ? '' : '\n'}${DURE_DIR}/\n`;
