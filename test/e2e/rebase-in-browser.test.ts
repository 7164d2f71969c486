/** The branch moves while a pack is open on a page. */
import { expect, test } from 'vitest';
import { readState } from '../../src/core/run/run-store.ts';
import { cassette } from './agent-moves.ts';
import { cannotRun, served, visit, WAIT } from './serve-processes.ts';

test.skipIf(cannotRun)(
  'a result whose branch has moved is rebased from its review page, then approved there',
  async () => {
    const project = await served(cassette());
    const { entry } = await project.serve();
    const start = ['start', 'Write greeting.txt', '--launcher', 'process', '--detach', '--no-browser'];
    const { json } = await project.dureJson(start);
    const id = String(json['run_id']);
    const files = project.run(id);
    const phase = async () => (await readState(files))?.phase;
    await expect.poll(phase, WAIT).toBe('ready_for_merge');
    const base = (await readState(files))!.base;

    await project.write('colleague.txt', 'meanwhile\n');
    await project.git('add', 'colleague.txt');
    await project.git('commit', '--quiet', '-m', 'meanwhile');
    const moved = (await project.git('rev-parse', 'HEAD')).trim();

    const { page } = await visit(entry!.replace('/#', `/run/${id}#`), 'Write');
    await page.getByRole('link', { name: 'Review' }).first().click();
    await page.getByRole('button', { name: 'Rebase' }).click();
    await expect.poll(async () => (await readState(files))?.base, WAIT).toBe(moved);
    expect(moved).not.toBe(base);
    await expect.poll(phase, WAIT).toBe('ready_for_merge');

    // The page of the run is shown in the meantime.
    await page.getByRole('link', { name: 'Review' }).first().click();
    await page.getByRole('button', { name: 'Rebase' }).waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
    await expect.poll(phase, WAIT).toBe('completed');
    expect((await project.git('rev-parse', 'HEAD^')).trim()).toBe(moved);
    expect((await project.git('ls-tree', '--name-only', 'HEAD')).split('\n')).toEqual(
      expect.arrayContaining(['colleague.txt', 'greeting.txt']),
    );
  },
);
