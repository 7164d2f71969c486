/** Follows a run from another process while its driver writes the log first and `state.json` second. */
import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signed } from '../../src/core/run/requests/decision-proof.ts';
import { writeAnswer } from '../../src/core/run/requests/write-answer.ts';
import { requestApproval, requestStop } from '../../src/core/run/requests/write-requests.ts';
import { openJournal, runStatus } from '../../src/core/run/run-store.ts';
import { replaceJson } from '../../src/formats/read-and-write-files.ts';
import { ownIdentity } from '../../src/process/identity.ts';
import { waitForState } from '../../src/terminal/runs/wait-for-state-or-request.ts';
import { watchRunSnapshots } from '../../src/terminal/runs/watch-run-snapshots.ts';
import { ASKED, prepareRun, QUESTION, READY, STARTED, type Untimed } from '../commands/prepared-runs.ts';
import { setupWith } from '../helpers/sample-setup.ts';
import { type TestProject, testProject } from '../helpers/test-project.ts';

let project: TestProject;
beforeAll(async () => {
  project = await testProject();
  await project.dure(['init', '--yes', '--backend', 'rehearsal']);
});
afterAll(() => project.remove());

it('a snapshot derives the state from the log, even if the driver has not saved it yet', async () => {
  const { files, state: before } = await prepareRun(project, 'run-20260131-142207', STARTED);
  const journal = await openJournal(files);
  await journal.append({ at: '2026-01-31T14:23:00.000Z', ...READY.at(-1)! } as never);
  await replaceJson(files.state, before);
  await replaceJson(files.driver, { process: ownIdentity(), since: '2026-01-31T14:22:00.000Z' });
  const following = watchRunSnapshots(files, new AbortController().signal);
  const { value } = await following.next();
  await following.return(undefined);
  await rm(files.driver);
  expect(value).toMatchObject({ state: { phase: 'ready_for_merge' }, driven: true });
});

it('a snapshot taken after the driver died derives the state from the log', async () => {
  const { files, state: before } = await prepareRun(project, 'run-20260131-142208', STARTED);
  const journal = await openJournal(files);
  await journal.append({ at: '2026-01-31T14:23:00.000Z', ...READY.at(-1)! } as never);
  await replaceJson(files.state, before);
  const following = watchRunSnapshots(files, new AbortController().signal);
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

describe('a run that waits for the user and has no driver', () => {
  type Prepared = Awaited<ReturnType<typeof prepareRun>>;
  const crp = QUESTION as Parameters<typeof writeAnswer>[2];
  const BY = { who: 'Ann', through: 'terminal', nonce: 'a'.repeat(32) } as const;
  const takes = setupWith({ take_recommendations: true });
  const refused: Untimed = { type: 'approval.refused', asked_at: '2026-01-31T15:00:00.000Z', reason: 'no' };
  const approved = ({ files, state }: Prepared) => {
    const request = { asked_at: '2026-01-31T15:00:00.000Z', tree: '2'.repeat(40), how: 'merge' };
    const choice = { tests: 'leave', hooks: 'run' };
    return replaceJson(files.request('approve'), signed(state, 'approve', { ...request, ...choice }, BY));
  };

  it.each<[string, readonly Untimed[], ((run: Prepared) => Promise<unknown>) | null, typeof takes?]>([
    ['was answered', ASKED, ({ files, state }) => writeAnswer(files, state, crp, { decision: 'sqlite' })],
    ['was approved', READY, ({ files, state }) => requestApproval(files, state, { how: 'merge' })],
    ['was stopped', READY, ({ files, state }) => requestStop(files, state, 'enough')],
    ['was started with --yes', ASKED, null, takes],
  ])('is interrupted if it %s', async (_, events, act, setup = setupWith()) => {
    const id = `run-20260131-1423${String(nth++).padStart(2, '0')}`;
    const run = await prepareRun(project, id, events, { setup });
    await act?.(run);
    expect(await runStatus(run.files)).toMatchObject({ driven: false, state: { phase: 'interrupted' } });
    const { json } = await project.dureJson(['recover', '--list']);
    expect(json['runs']).toContainEqual(expect.objectContaining({ run_id: id }));
    expect((await project.dureJson(['status', id])).json).toMatchObject({ phase: 'interrupted' });
    // A person may still decide otherwise.
    const following = watchRunSnapshots(run.files, new AbortController().signal);
    expect((await following.next()).value.state.phase).toBe(run.state.phase);
    await following.return(undefined);
  });

  it.each<[string, readonly Untimed[], ((run: Prepared) => Promise<unknown>) | null]>([
    ['has no answer', ASKED, null],
    ['was not approved', READY, null],
    ['has an approval that was refused', [...READY, refused], approved],
    ['was approved before its question was asked', ASKED, approved],
  ])('is not interrupted if it %s', async (_, events, act) => {
    const run = await prepareRun(project, `run-20260131-1424${String(nth++).padStart(2, '0')}`, events);
    await act?.(run);
    expect(await runStatus(run.files)).toMatchObject({ state: { phase: run.state.phase } });
  });

  it('gets a driver again if the process that recorded the decision could not start one', async () => {
    const run = await prepareRun(project, 'run-20260131-142500', ASKED);
    await writeAnswer(run.files, run.state, crp, { decision: 'sqlite' });
    let restarts = 0;
    const restart = async () => {
      restarts += 1;
    };
    const { signal } = new AbortController();
    const reached = await waitForState(run.files, () => restarts > 0, signal, null, restart);
    expect(reached).toMatchObject({ phase: 'waiting_human' });
  });
});
let nth = 0;
