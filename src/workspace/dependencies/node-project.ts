/** Recognises the package manager and layout of a Node project from package.json and the files next to it. */
import { type Folder, type JsonTable, tableAt, textsIn, whyUnlocked } from './read-folder.ts';

type NodeTool = 'npm' | 'pnpm' | 'yarn-classic' | 'yarn-berry' | 'bun';

export interface NodeProject {
  readonly manifest: JsonTable;
  readonly tool: NodeTool;
  /** Version of the tool in `packageManager`. */
  readonly version: string | null;
  /** The lockfile of this tool, if present. */
  readonly lockfile: string | null;
  /** The reason why there is no lockfile, if there is none. */
  readonly unlocked: string;
  readonly hasWorkspaces: boolean;
}

const LOCKFILES: readonly (readonly [tool: NodeTool, names: readonly string[]])[] = [
  ['npm', ['npm-shrinkwrap.json', 'package-lock.json']],
  ['pnpm', ['pnpm-lock.yaml']],
  ['yarn-classic', ['yarn.lock']],
  ['bun', ['bun.lock', 'bun.lockb']],
];

/** Null for a folder without a package.json. */
export async function nodeProject(folder: Folder): Promise<NodeProject | null> {
  const manifest = await folder.json('package.json');
  if (!manifest) return null;
  const named = /^(npm|pnpm|yarn|bun)@(\d[\w.-]*)/.exec(String(manifest['packageManager'] ?? ''));
  const locked = LOCKFILES.find(([, names]) => names.some(name => folder.has(name)));
  const family = named?.[1] ?? locked?.[0] ?? (folder.has('pnpm-workspace.yaml') ? 'pnpm' : 'npm');
  const tool = family.startsWith('yarn') ? await yarnOf(folder, named?.[2] ?? null) : (family as NodeTool);
  const names = LOCKFILES.find(([owner]) => owner === (tool === 'yarn-berry' ? 'yarn-classic' : tool))![1];
  return {
    manifest,
    tool,
    version: named?.[2] ?? null,
    lockfile: names.find(name => folder.has(name)) ?? null,
    unlocked: whyUnlocked(
      folder,
      LOCKFILES.flatMap(([, all]) => all),
    ),
    hasWorkspaces: manifest['workspaces'] !== undefined || folder.has('pnpm-workspace.yaml'),
  };
}

async function yarnOf(folder: Folder, version: string | null): Promise<NodeTool> {
  if (version !== null) return version.startsWith('1.') || version === '1' ? 'yarn-classic' : 'yarn-berry';
  const isBerry = folder.has('.yarnrc.yml') || /^__metadata:/m.test((await folder.text('yarn.lock')) ?? '');
  return isBerry ? 'yarn-berry' : 'yarn-classic';
}

export const scriptsOf = (manifest: JsonTable): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(tableAt(manifest, 'scripts')).filter(
      (e): e is [string, string] => typeof e[1] === 'string',
    ),
  );

/** Patterns of the package folders of this workspace. */
export const workspacePatterns = (manifest: JsonTable): string[] =>
  Array.isArray(manifest['workspaces'])
    ? textsIn(manifest['workspaces'])
    : textsIn(tableAt(manifest, 'workspaces')['packages']);
