import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { processLauncher } from '../../../src/agents/launchers/process-launcher.ts';
import { runFiles } from '../../../src/formats/layout.ts';
import { isAlive } from '../../../src/process/identity.ts';
import { makePlace, startDriver, until } from './launch-folder.ts';

test('the runner gets the run folder and the launch number, and its output is logged', async () => {
  const place = await makePlace();
  const launcher = processLauncher(place);
  await launcher.open();
  await launcher.start({ role: 'builder', launch: 7 });
  const ran = await place.ran(7);
  expect(ran.argv).toEqual([place.runDir, '7']);
  await place.end(7);
  await until(() => !isAlive(ran.identity));
  expect(await readFile(runFiles(place.runDir).screen('builder', 7), 'utf8')).toBe(
    'launch 7 is running\nlaunch 7 ends\n',
  );
  expect(launcher.attach()).toBeNull();
});

test('starting the same launch twice does not disturb the first runner', async () => {
  const place = await makePlace();
  const launcher = processLauncher(place);
  await launcher.start({ role: 'builder', launch: 1 });
  const ran = await place.ran(1);
  await launcher.start({ role: 'builder', launch: 1 });
  const log = runFiles(place.runDir).screen('builder', 1);
  await until(async () => (await readFile(log, 'utf8')).includes('claimed already'));
  expect(isAlive(ran.identity)).toBe(true);
});

test('start rejects if the runner cannot be started', async () => {
  const place = await makePlace();
  const launcher = processLauncher({ ...place, node: join(place.home, 'no-such-node') });
  await expect(launcher.start({ role: 'builder', launch: 1 })).rejects.toThrow('ENOENT');
});

test("an agent outlives its driver, even if the driver's process group is killed", async () => {
  const place = await makePlace();
  const launcher = `processLauncher(${JSON.stringify(place)})`;
  const driver = await startDriver(place, launcher, { role: 'builder', launch: 2 });
  const ran = await place.ran(2);
  await driver.kill();
  expect(isAlive(ran.identity)).toBe(true);
  await place.end(2);
  await until(() => !isAlive(ran.identity));
});
