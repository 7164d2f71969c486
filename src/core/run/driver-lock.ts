/** Ensures that a run has only one driver: the live process identified in `driver.json`. A dead driver is replaced. */
import { rename, rm } from 'node:fs/promises';
import { dureError } from '../../errors.ts';
import { driverFile } from '../../formats/driver.ts';
import type { Identity } from '../../formats/launch.ts';
import type { RunFiles } from '../../formats/layout.ts';
import { create, readValue } from '../../formats/read-and-write-files.ts';
import { jsonText } from '../../formats/schema/strict-json.ts';
import { isAliveOnMachine, isSame, ownIdentity } from '../../process/identity.ts';

/** Acquires the lock and returns a function that releases it. Throws `E_DRIVER_ALIVE` if a live driver holds it. */
export async function acquireDriverLock(files: RunFiles, runId: string): Promise<() => Promise<void>> {
  const own = ownIdentity();
  const record = jsonText({ process: own, since: new Date().toISOString() });
  while (!(await create(files.driver, record))) {
    const holder = await readValue(driverFile, files.driver);
    if (holder && isAliveOnMachine(holder.process))
      throw dureError('E_DRIVER_ALIVE', { run: runId, pid: holder.process.pid });
    await removeStaleLock(files, holder?.process ?? null);
  }
  return async () => {
    const holder = await readValue(driverFile, files.driver);
    if (holder && isSame(holder.process, own)) await rm(files.driver, { force: true });
  };
}

/** Renames the record of a dead driver. If another process has just taken the lock, its record is restored. */
async function removeStaleLock(files: RunFiles, dead: Identity | null): Promise<void> {
  const renamed = `${files.driver}.${process.pid}`;
  const moved = await rename(files.driver, renamed).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return false;
      throw error;
    },
  );
  if (!moved) return;
  const found = await readValue(driverFile, renamed).catch(async error => {
    await rename(renamed, files.driver);
    throw error;
  });
  const alive = found && (!dead || !isSame(found.process, dead)) && isAliveOnMachine(found.process);
  if (alive) await rename(renamed, files.driver);
  else await rm(renamed, { recursive: true, force: true });
}
