/** Removes a folder with all its content. Some tools leave folders behind that their owner cannot write to. */
import { chmod, lstat, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

export async function removeFolder(dir: string): Promise<void> {
  const gone = () => rm(dir, { recursive: true, force: true, maxRetries: 20 });
  await gone().catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EACCES' && error.code !== 'EPERM') throw error;
    await makeWritable(dir);
    await gone();
  });
}

async function makeWritable(dir: string): Promise<void> {
  // The first attempt may still be removing other files.
  const found = await lstat(dir).catch(() => null);
  if (!found?.isDirectory()) return;
  await chmod(dir, 0o700);
  for (const name of await readdir(dir)) await makeWritable(join(dir, name));
}
