/** A tool at the project's root, and what it needs so that it leaves `.dure/` alone. */

/** Texts of the files at the root that say how tools behave, by name. */
export type RootFiles = ReadonlyMap<string, string>;

export type Finding =
  /** Nothing has to be done. */
  | { readonly tool: string; readonly is: 'covered'; readonly file: string; readonly why: string }
  /** The line that a person adds to the file. */
  | { readonly tool: string; readonly is: 'needed'; readonly file: string; readonly add: string };

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

/** A file that names the folder does so to leave it out. */
export const namesDure = (text: string | undefined): boolean => /\.dure\b/.test(text ?? '');

/** Lines of an ignore file that leave out the folder, or all folders with a dot. */
export const ignores = (text: string | undefined): boolean =>
  (text ?? '')
    .split(/\r?\n/)
    .some(line => /^\/?\.dure(\/(\*\*?)?)?$/.test(line.trim()) || ['.*', '/.*'].includes(line.trim()));

/** `line` is needed in the file unless the file names the folder already. */
export const unlessNamed = (tool: string, file: string, text: string | undefined, add: string): Finding =>
  namesDure(text) ? { tool, is: 'covered', file, why: 'it names .dure' } : { tool, is: 'needed', file, add };
