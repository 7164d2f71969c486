/**
 * Chooses the version of Yarn (2 or later) for a project: the release committed to the project (`yarnPath`), otherwise
 * the version that `packageManager` or the lockfile requires, downloaded from the registry. A `yarn` on PATH is not
 * used, because it is usually Yarn 1.
 */

import { quoteWord } from '../../../formats/text/shell-words.ts';
import type { Folder } from '../folder-reader.ts';
import type { NodeProject } from './node-project.ts';

export async function chooseYarnBerry({ version }: NodeProject, folder: Folder): Promise<string> {
  const carried = await yarnPath(folder);
  return carried
    ? `node ${quoteWord(carried)}`
    : `npx --yes --package @yarnpkg/cli-dist@${version ?? (await versionFor(folder))} yarn`;
}

const yarnPath = async (folder: Folder): Promise<string | null> =>
  /^yarnPath:\s*['"]?([^'"\n#]+?)['"]?\s*$/m.exec((await folder.text('.yarnrc.yml')) ?? '')?.[1] ?? null;

/** Returns the newest major version that does not change the lockfile. */
async function versionFor(folder: Folder): Promise<string> {
  const lock = (await folder.text('yarn.lock'))?.slice(0, 2000) ?? '';
  const format = Number(/^__metadata:\s*\n\s+version:\s*(\d+)/m.exec(lock)?.[1] ?? 8);
  return format >= 8 ? '4' : '3';
}
