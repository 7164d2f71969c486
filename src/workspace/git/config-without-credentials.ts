/**
 * Removes credentials from git's configuration files for agents in a sandbox: remote URLs and request headers may
 * contain tokens. Credential helpers do not work in the sandbox, and may be commands that contain a password.
 */
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, resolve, sep } from 'node:path';
import { namesIn } from '../../formats/file-system/path-status.ts';
import { unlessDiskFails } from '../../formats/file-system/temporary-disk-errors.ts';

/** Returns the text of each file that contains credentials, with the credentials removed. Keyed by path. */
export async function configsWithoutCredentials(gitDir: string): Promise<Record<string, string>> {
  const cleaned: Record<string, string> = {};
  // Grows during the loop: included files are added.
  const files = new Set(await configFiles(gitDir));
  for (const file of files) {
    const text = await readFile(file, 'utf8').catch(unlessDiskFails(''));
    for (const included of includedBy(file, text)) if (included.startsWith(gitDir + sep)) files.add(included);
    const without = withoutCredentials(text);
    if (without !== text) cleaned[file] = without;
  }
  return cleaned;
}

const PATH = /^[ \t]*(?:\[[^\]\n]*\][ \t]*)?path[ \t]*=[ \t]*"?([^"\n;#]*[^"\n;#\s])/gim;

/**
 * Returns the paths in `include` and `includeIf`. Sandboxes hide the home folder and the project, so only files in the
 * git directory matter.
 */
const includedBy = (file: string, text: string): string[] =>
  [...text.matchAll(PATH)].map(([, path]) => resolve(dirname(file), path!));

/** Lists the configuration files of a repository, its worktrees and its submodules. */
async function configFiles(gitDir: string): Promise<string[]> {
  const [worktrees, inner] = await Promise.all([
    foldersIn(join(gitDir, 'worktrees')),
    repositoriesBelow(join(gitDir, 'modules')),
  ]);
  const own = [gitDir, ...worktrees].map(folder => join(folder, 'config.worktree'));
  return [join(gitDir, 'config'), ...own, ...(await Promise.all(inner.map(configFiles))).flat()];
}

/** Finds the git directories below a folder, at any depth: the name of a submodule may contain slashes. */
async function repositoriesBelow(folder: string): Promise<string[]> {
  const found = await Promise.all(
    (await foldersIn(folder)).map(async inner =>
      (await namesIn(inner)).includes('HEAD') ? [inner] : repositoriesBelow(inner),
    ),
  );
  return found.flat();
}

const foldersIn = async (folder: string): Promise<string[]> =>
  (await readdir(folder, { withFileTypes: true }).catch(unlessDiskFails([])))
    .filter(entry => entry.isDirectory())
    .map(({ name }) => join(folder, name));

const SECRET_KEY =
  /^\s*(?:\[[^\]]*\]\s*)?(?:helper|[a-z0-9-]*(?:extraheader|pass|token|secret)[a-z0-9-]*)\s*=/i;

/**
 * Removes user names and passwords from URLs, and settings whose names indicate that they are secret. The user name
 * in an `ssh:` URL is required and not a secret.
 */
export function withoutCredentials(text: string): string {
  const isContinued = (line: string | undefined) => /\\\r?$/.test(line ?? '');
  let isSecret = false;
  return text
    .split('\n')
    .filter((line, n, lines) => {
      isSecret = isContinued(lines[n - 1]) ? isSecret : SECRET_KEY.test(line);
      return !isSecret;
    })
    .join('\n')
    .replace(/([a-z][a-z0-9+.-]*:\/\/)([^/\s]*)@/gi, (_, scheme: string, user: string) =>
      /ssh:/i.test(scheme) ? `${scheme}${user.split(':')[0]}@` : scheme,
    );
}
