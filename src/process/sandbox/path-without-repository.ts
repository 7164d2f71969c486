/**
 * Builds the PATH for tests and checks: the user's PATH without folders in the user's repository, whose programs would
 * not be part of the seal, and without virtual environments that import code from that repository.
 */
import { readFile, realpath } from 'node:fs/promises';
import { basename, delimiter, dirname, isAbsolute, join } from 'node:path';
import { isWithin } from '../../formats/file-system/path-containment.ts';
import { namesIn } from '../../formats/file-system/path-status.ts';
import { unlessDiskFails } from '../../formats/file-system/temporary-disk-errors.ts';

const DEFAULT_PATH = '/usr/local/bin:/usr/bin:/bin';

/** `path` is a PATH value; `repository` is the root of the user's repository. */
export async function pathWithoutRepository(path: string | undefined, repository: string): Promise<string[]> {
  const real = await realpath(repository).catch(unlessDiskFails(repository));
  const folders = [...new Set((path || DEFAULT_PATH).split(delimiter))].filter(isAbsolute);
  const kept = await Promise.all(
    folders.map(async folder => ((await belongsTo(folder, [repository, real])) ? [] : [folder])),
  );
  return kept.flat();
}

async function belongsTo(folder: string, repositories: readonly string[]): Promise<boolean> {
  const places = [folder, await realpath(folder).catch(unlessDiskFails(folder))];
  return (
    places.some(place =>
      repositories.some(repository => isWithin(repository, place) || isAbove(place, repository)),
    ) || (await hasEditableInstall(dirname(folder), repositories))
  );
}

/** Whether this is `node_modules/.bin` in a parent folder of the repository: package managers put it on PATH. */
const isAbove = (bin: string, repository: string): boolean =>
  basename(bin) === '.bin' &&
  basename(dirname(bin)) === 'node_modules' &&
  isWithin(dirname(dirname(bin)), repository);

/** Matches the names of files that link an installed package to its source folder. */
const LEADS_ELSEWHERE = /\.pth$|\.egg-link$|^__editable__.*\.py$/;

async function hasEditableInstall(venv: string, repositories: readonly string[]): Promise<boolean> {
  if ((await readFile(join(venv, 'pyvenv.cfg'), 'utf8').catch(unlessDiskFails(null))) === null) return false;
  const pythons = await namesIn(join(venv, 'lib'));
  for (const python of pythons) {
    const site = join(venv, 'lib', python, 'site-packages');
    for (const name of await namesIn(site)) {
      if (!LEADS_ELSEWHERE.test(name)) continue;
      const text = await readFile(join(site, name), 'utf8').catch(unlessDiskFails(''));
      if (repositories.some(repository => text.includes(repository))) return true;
    }
  }
  return false;
}
