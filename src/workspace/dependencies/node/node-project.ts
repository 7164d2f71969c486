/** Recognizes the package manager and layout of a Node project from package.json and the files next to it. */
import { type JsonObject, tableAt, textsIn } from '../../../formats/schema/json-access.ts';
import { type Folder, whyUnlocked } from '../folder-reader.ts';

/** A package manager as `packageManager` in package.json names it. */
export type NodePackageManager = 'npm' | 'pnpm' | 'yarn' | 'bun';
type NodeTool = 'npm' | 'pnpm' | 'yarn-classic' | 'yarn-berry' | 'bun';

export interface NodeProject {
  readonly manifest: JsonObject;
  readonly tool: NodeTool;
  /** Version of the tool, as specified in `packageManager`. */
  readonly version: string | null;
  /** The lockfile of this tool, if present. */
  readonly lockfile: string | null;
  /** Why there is no lockfile, if there is none. */
  readonly unlocked: string;
  readonly hasWorkspaces: boolean;
}

const LOCKFILES: Readonly<Record<NodePackageManager, readonly string[]>> = {
  npm: ['npm-shrinkwrap.json', 'package-lock.json'],
  pnpm: ['pnpm-lock.yaml'],
  yarn: ['yarn.lock'],
  bun: ['bun.lock', 'bun.lockb'],
};
const MANAGERS = Object.keys(LOCKFILES) as NodePackageManager[];

/**
 * Returns the package manager that package.json or a lockfile indicates, with its version if package.json specifies
 * one; null if there is no indication.
 */
export async function packageManagerOf(
  folder: Folder,
): Promise<{ readonly name: NodePackageManager; readonly version: string | null } | null> {
  const { packageManager } = (await folder.json('package.json')) ?? {};
  const named = /^(npm|pnpm|yarn|bun)@(\d[\w.-]*)/.exec(String(packageManager ?? ''));
  if (named) return { name: named[1] as NodePackageManager, version: named[2]! };
  const locked = MANAGERS.find(manager => LOCKFILES[manager].some(name => folder.has(name)));
  return locked ? { name: locked, version: null } : null;
}

/** Null for a folder without a package.json. */
export async function nodeProject(folder: Folder): Promise<NodeProject | null> {
  const manifest = await folder.json('package.json');
  if (!manifest) return null;
  const isPnpm = folder.has('pnpm-workspace.yaml');
  const found = await packageManagerOf(folder);
  const { name, version } = found ?? { name: isPnpm ? 'pnpm' : 'npm', version: null };
  return {
    manifest,
    tool: name === 'yarn' ? await yarnOf(folder, version) : name,
    version,
    lockfile: LOCKFILES[name].find(file => folder.has(file)) ?? null,
    unlocked: whyUnlocked(folder, Object.values(LOCKFILES).flat()),
    hasWorkspaces: manifest['workspaces'] !== undefined || isPnpm,
  };
}

async function yarnOf(folder: Folder, version: string | null): Promise<NodeTool> {
  if (version !== null) return version.startsWith('1.') || version === '1' ? 'yarn-classic' : 'yarn-berry';
  const isBerry = folder.has('.yarnrc.yml') || /^__metadata:/m.test((await folder.text('yarn.lock')) ?? '');
  return isBerry ? 'yarn-berry' : 'yarn-classic';
}

export const scriptsOf = (manifest: JsonObject): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(tableAt(manifest, 'scripts')).filter(
      (e): e is [string, string] => typeof e[1] === 'string',
    ),
  );

/** Returns the patterns that match the package folders of this workspace. */
export const workspacePatterns = (manifest: JsonObject): string[] =>
  Array.isArray(manifest['workspaces'])
    ? textsIn(manifest['workspaces'])
    : textsIn(tableAt(manifest, 'workspaces')['packages']);
