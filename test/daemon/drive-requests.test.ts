import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { requestDrive, takeDriveRequests, watchDriveRequests } from '../../src/daemon/drive-requests.ts';
import { type TestProject, testProject } from '../helpers/test-project.ts';

vi.mock('node:fs', async original => ({
  ...(await original<typeof import('node:fs')>()),
  watch() {
    throw Object.assign(new Error('ENOSPC: System limit for number of file watchers reached'), {
      code: 'ENOSPC',
    });
  },
}));

let project: TestProject;
beforeAll(async () => {
  project = await testProject();
});
afterAll(() => project.remove());

test('requests for a driver are found even if folders cannot be watched', async () => {
  const requests = await watchDriveRequests(project.files);
  await requestDrive(project.files, 'run-20260131-142201');
  await requests.next(10, new AbortController().signal);
  expect(await takeDriveRequests(project.files)).toEqual(['run-20260131-142201']);
  requests.close();
});
