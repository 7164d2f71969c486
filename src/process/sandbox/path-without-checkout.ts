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

/** `path` is a PATH value; `checkout` is the root of the user's repository. */
export async function pathWithoutCheckout(path: string | undefined, checkout: string): Promise<string[]> {
  const real = await realpath(checkout).catch(unlessDiskFails(checkout));
  const folders = [...new Set((path || DEFAULT_PATH).split(delimiter))].filter(isAbsolute);
  const kept = await Promise.all(
    folders.map(async folder => ((await belongsTo(folder, [checkout, real])) ? [] : [folder])),
  );
  return kept.flat();
}

async function belongsTo(folder: string, checkouts: readonly string[]): Promise<boolean> {
  const places = [folder, await realpath(folder).catch(unlessDiskFails(folder))];
  return (
    places.some(place => checkouts.some(checkout => isWithin(checkout, place) || isAbove(place, checkout))) ||
    (await hasEditableInstall(dirname(folder), checkouts))
  );
}

/** Whether this is `node_modules/.bin` in a parent folder of the repository: package managers put it on PATH. */
const isAbove = (bin: string, checkout: string): boolean =>
  basename(bin) === '.bin' &&
  basename(dirname(bin)) === 'node_modules' &&
  isWithin(dirname(dirname(bin)), checkout);

/** Matches the names of files that link an installed package to its source folder. */
const LEADS_ELSEWHERE = /\.pth$|\.egg-link$|^__editable__.*\.py$/;

async function hasEditableInstall(venv: string, checkouts: readonly string[]): Promise<boolean> {
  if ((await readFile(join(venv, 'pyvenv.cfg'), 'utf8').catch(unlessDiskFails(null))) === null) return false;
  const pythons = await namesIn(join(venv, 'lib'));
  for (const python of pythons) {
    const site = join(venv, 'lib', python, 'site-packages');
    for (const name of await namesIn(site)) {
      if (!LEADS_ELSEWHERE.test(name)) continue;
      const text = await readFile(join(site, name), 'utf8').catch(unlessDiskFails(''));
      if (checkouts.some(checkout => text.includes(checkout))) return true;
    }
  }
  return false;
}
