/**
 * Packs plugins from folders, URLs and most repositories into tarballs in oclif's data folder, which oclif installs
 * instead. There are two reasons: oclif finds a package that was installed from a tarball by the name of the tarball,
 * but for most other sources it takes the first package it finds; and npm never turns a package that was installed from
 * a tarball into a link later.
 */
import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { dureError } from '../errors.ts';
import { namesIn } from '../formats/file-system/path-status.ts';
import { sha256 } from '../formats/text/sha256.ts';
import { npmErrorText } from './npm-errors.ts';

const folderOf = (dataDir: string): string => join(dataDir, 'packed');

const HOSTED =
  /^(?:git\+)?(?:https?|ssh|git):\/\/(?:[^@/]*@)?(?:www\.)?(?:gist\.)?(?:github\.com|gitlab\.com|bitbucket\.org|git\.sr\.ht)[/:]/;
const TARBALL = /^file:.*\.(?:tgz|tar\.gz|tar)$/;

/** Returns the argument to pass to oclif instead of `what`, which is a result of `npmPackageArgument`. */
export async function packPluginTarball(what: string, dataDir: string): Promise<string> {
  if (!what.includes(':') || HOSTED.test(what) || TARBALL.test(what)) return what;
  const folder = folderOf(dataDir);
  await mkdir(folder, { recursive: true });
  const making = await mkdtemp(join(folder, '.making-'));
  try {
    await npmPack(what, making);
    const [name] = await readdir(making);
    if (name === undefined) throw dureError('E_PLUGIN_INSTALL', { plugin: what, why: 'npm packed nothing' });
    const content = sha256(await readFile(join(making, name)));
    const tarball = join(folder, `${content.slice(0, 12)}-${name}`);
    await rename(join(making, name), tarball);
    return `file:${tarball}`;
  } finally {
    await rm(making, { recursive: true, force: true });
  }
}

/** Removes tarballs of plugins that are no longer installed. */
export async function removeUnusedTarballs(dataDir: string): Promise<void> {
  const names = await namesIn(folderOf(dataDir));
  const used = names.length > 0 ? await readFile(join(dataDir, 'package.json'), 'utf8').catch(() => '') : '';
  for (const name of names.filter(one => one.endsWith('.tgz') && !used.includes(one)))
    await rm(join(folderOf(dataDir), name), { force: true });
}

function npmPack(what: string, destination: string): Promise<void> {
  const args = ['pack', what, '--pack-destination', destination, '--loglevel=notice'];
  return new Promise((resolve, reject) => {
    const child = spawn('npm', args, { cwd: destination, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', chunk => {
        output += chunk;
      });
    const fail = (error: unknown) =>
      reject(
        dureError('E_PLUGIN_INSTALL', { plugin: what, why: npmErrorText([output], error) }, { cause: error }),
      );
    child.once('error', fail);
    child.once('close', code => (code === 0 ? resolve() : fail(new Error(`npm exited with status ${code}`))));
  });
}
