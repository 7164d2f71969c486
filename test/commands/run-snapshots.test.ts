/** Follows a run from another process, while the driver writes its log first and `state.json` second. */
import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openJournal } from '../../src/core/run/run-store.ts';
import { replaceJson } from '../../src/formats/file.ts';
import { ownIdentity } from '../../src/process/identity.ts';
import { snapshots, waitForState } from '../../src/terminal/run-snapshots.ts';
import { type TestProject, testProject } from '../helpers/project.ts';
import { prepareRun, READY, STARTED } from './prepared-runs.ts';

let project: TestProject;
beforeAll(async () => {
  project = await testProject();
});
afterAll(() => project.remove());

it('a snapshot takes the state from the log, before the driver has saved it', async () => {
  const { files, state: before } = await prepareRun(project, 'run-20260131-142207', STARTED);
  const journal = await openJournal(files);
  await journal.append({ at: '2026-01-31T14:23:00.000Z', ...READY.at(-1)! } as never);
  await replaceJson(files.state, before);
  await replaceJson(files.driver, { process: ownIdentity(), since: '2026-01-31T14:22:00.000Z' });
  const following = snapshots(files, new AbortController().signal);
  const { value } = await following.next();
  await following.return(undefined);
  await rm(files.driver);
  expect(value).toMatchObject({ state: { phase: 'ready_for_merge' }, driven: true });
});

it('a snapshot after the driver has died derives the state from the log', async () => {
  const { files, state: before } = await prepareRun(project, 'run-20260131-142208', STARTED);
  const journal = await openJournal(files);
  await journal.append({ at: '2026-01-31T14:23:00.000Z', ...READY.at(-1)! } as never);
  await replaceJson(files.state, before);
  const following = snapshots(files, new AbortController().signal);
  expect((await following.next()).value).toMatchObject({ state: { phase: 'ready_for_merge' } });
  await following.return(undefined);
});

it('a state is not returned before state.json contains it', async () => {
  const { files, state: before } = await prepareRun(project, 'run-20260131-142209', STARTED);
  const journal = await openJournal(files);
  const state = await journal.append({ at: '2026-01-31T14:23:00.000Z', ...READY.at(-1)! } as never);
  await replaceJson(files.state, before);
  let returned = false;
  const waiting = waitForState(files, () => true, new AbortController().signal).then(reached => {
    returned = true;
    return reached;
  });
  await new Promise(resolve => setTimeout(resolve, 500));
  expect(returned).toBe(false);
  await replaceJson(files.state, state);
  expect(await waiting).toMatchObject({ phase: 'ready_for_merge' });
});
