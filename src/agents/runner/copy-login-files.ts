/**
 * Before a launch in a sandbox, copies the login files of the agent's CLI into the home of its role. A CLI that
 * refreshes its token may invalidate the old one, so the refreshed file is copied back, unless the user has logged in
 * since. The agent owns its home: links in it are not followed, and a file is copied back only if nothing but tokens
 * and their expiry dates has changed.
 */
import { constants } from 'node:fs';
import { mkdir, open, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { LaunchSandbox } from '../../formats/agent-sandbox.ts';
import { resolveLinks } from '../../formats/file-system/resolve-links.ts';
import { unlessDiskFails } from '../../formats/file-system/temporary-disk-errors.ts';
import { create, replace } from '../../formats/read-and-write-files.ts';
import { type Json, parseJson } from '../../formats/schema/strict-json.ts';

const LIMIT = 100_000;
type Sandbox = Pick<LaunchSandbox, 'folder' | 'login' | 'files'>;

const homeOf = ({ folder }: Sandbox): string => join(folder, 'home');
/** Returns the path of the last copy of the user's file, which is out of reach of the agent. */
const copyOf = ({ folder }: Sandbox, n: number): string => join(folder, `login-${n}`);

export async function copyLoginIn(sandbox: Sandbox): Promise<void> {
  // A runner that was killed could not copy the refreshed file back.
  await copyLoginBack(sandbox);
  for (const [n, { from, to }] of sandbox.login.entries()) {
    const text = await read(from);
    const file = await placeIn(homeOf(sandbox), to);
    if (text === null) await rm(file, { force: true });
    else for (const copy of [file, copyOf(sandbox, n)]) await replace(copy, text, 0o600);
  }
  for (const [path, text] of Object.entries(sandbox.files))
    await create(await placeIn(homeOf(sandbox), path), text);
}

export async function copyLoginBack(sandbox: Sandbox): Promise<void> {
  for (const [n, { from, to }] of sandbox.login.entries()) {
    const inHome = join(homeOf(sandbox), to);
    if (!isPlain(homeOf(sandbox), inHome)) continue;
    const copied = copyOf(sandbox, n);
    const [before, now, user] = await Promise.all([copied, inHome, from].map(read));
    if (!before || !now || now === before || user !== before || !isRefreshed(before, now)) continue;
    for (const file of [from, copied]) await replace(file, now, 0o600);
  }
}

/** Creates the folder of a file in the home, and removes any link in the folder's path. */
async function placeIn(home: string, path: string): Promise<string> {
  const file = join(home, path);
  const folder = dirname(file);
  await mkdir(folder, { recursive: true, mode: 0o700 }).catch(() => {});
  if (!isPlain(home, file)) {
    await rm(join(home, path.split('/')[0]!), { recursive: true, force: true });
    await mkdir(folder, { recursive: true, mode: 0o700 });
  }
  return file;
}

/** False if a folder between the home and the file is missing or is a link. */
function isPlain(home: string, file: string): boolean {
  const [top, folder] = [resolveLinks(home), resolveLinks(dirname(file))];
  return top !== null && folder?.real === join(top.real, dirname(file).slice(home.length));
}

/** Returns null if the file is missing, a link, not a regular file, or too large. */
async function read(path: string): Promise<string | null> {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const file = await open(path, flags).catch(unlessDiskFails(null));
  try {
    const stats = await file?.stat();
    return file && stats?.isFile() && stats.size <= LIMIT ? await file.readFile('utf8') : null;
  } finally {
    await file?.close();
  }
}

function isRefreshed(before: string, now: string): boolean {
  try {
    return differInTokens('', parseJson(before), parseJson(now));
  } catch {
    return false;
  }
}

function differInTokens(key: string, before: Json, now: Json): boolean {
  if (typeof before !== typeof now || Array.isArray(before) !== Array.isArray(now)) return false;
  if (before === null || now === null || typeof before !== 'object' || typeof now !== 'object')
    return before === now || /token|expires/i.test(key);
  const is = new Map(Object.entries(now));
  return (
    Object.keys(before).length === is.size &&
    Object.entries(before).every(
      ([name, value]) => is.has(name) && differInTokens(name, value, is.get(name)!),
    )
  );
}
