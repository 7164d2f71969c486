/** Ensures that a run has only one driver: the live process identified in `driver.json`. A dead driver is replaced. */
import { rm } from 'node:fs/promises';
import { dureError } from '../../errors.ts';
import { driverFile } from '../../formats/driver.ts';
import type { RunFiles } from '../../formats/layout.ts';
import { create, readFormat } from '../../formats/read-and-write-files.ts';
import { jsonText } from '../../formats/schema/strict-json.ts';
import { removeStaleLock } from '../../process/file-lock.ts';
import { isAliveOnMachine, isSame, ownIdentity } from '../../process/identity.ts';

/** Acquires the lock and returns a function that releases it. Throws `E_DRIVER_ALIVE` if a live driver holds it. */
export async function acquireDriverLock(files: RunFiles, runId: string): Promise<() => Promise<void>> {
  const own = ownIdentity();
  const record = jsonText({ process: own, since: new Date().toISOString() });
  while (!(await create(files.driver, record))) {
    const holder = await readHolder(files);
    if (holder.is === 'value' && isAliveOnMachine(holder.value.process))
      throw dureError('E_DRIVER_ALIVE', { run: runId, pid: holder.value.process.pid });
    await removeStaleLock(files.driver, () => isStale(files));
  }
  return async () => {
    const holder = await readHolder(files);
    if (holder.is === 'value' && isSame(holder.value.process, own)) await rm(files.driver, { force: true });
  };
}

const readHolder = (files: RunFiles) => readFormat(driverFile, files.driver);

/** A damaged file counts as the lock of a dead driver. A missing file does not: another driver may be creating it. */
async function isStale(files: RunFiles): Promise<boolean> {
  const holder = await readHolder(files);
  return holder.is === 'value' ? !isAliveOnMachine(holder.value.process) : holder.is === 'invalid';
}
