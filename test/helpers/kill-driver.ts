import { setTimeout as pause } from 'node:timers/promises';
import { driverFile } from '../../src/formats/driver.ts';
import type { RunFiles } from '../../src/formats/layout.ts';
import { load } from '../../src/formats/read-and-write-files.ts';
import { isAlive, signalProcess } from '../../src/process/identity.ts';

/**
 * Kills the driver of a run, unless it has exited, and waits until it is gone: a killed process counts as alive until
 * the kernel has ended it, which takes longer on a busy machine.
 */
export async function killDriver(files: RunFiles): Promise<void> {
  const driver = await load(driverFile, files.driver);
  if (!driver) throw new Error('this run never had a driver');
  signalProcess(driver.process, 'SIGKILL');
  while (isAlive(driver.process)) await pause(10);
}
