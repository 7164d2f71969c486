/** A whole run in the browser: without any command, and without loading a page twice. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readState } from '../../src/core/run/run-store.ts';
import { asks, builds, cassette, refines } from './agent-moves.ts';
import { cannotRun, served, visit, WAIT } from './serve-processes.ts';

if (cannotRun) console.warn(`The browser is not tested: ${cannotRun}.`);

test.skipIf(cannotRun)(
  'the browser takes a run from the briefing to the merge: a question is answered, and a comment on a line reaches the Builder',
  async () => {
    const project = await served(
      cassette({
        refiner: [[asks('crp-001', 'refiner')], refines],
        builder: [builds('hello\n'), builds('hello, and welcome\n')],
      }),
    );
    const { entry } = await project.serve();
    const { page, complaints } = await visit(entry!);
    await page.evaluate('window.untouched = true');

    await page.getByRole('link', { name: 'New run' }).first().click();
    await page.getByRole('textbox', { name: 'Briefing' }).fill('# Greet\n\n- [ ] greeting.txt says hello');
    await page.getByRole('button', { name: 'Start the run' }).click();
    await page.waitForURL(/\/run\/run-\d{8}-\d{6}$/);
    const id = page.url().split('/').at(-1)!;
    const files = project.run(id);

    const question = page.getByRole('region', { name: 'The run is waiting for your answer.' });
    await question.getByRole('link', { name: 'Details, or answer in your own words' }).click();
    await page.getByRole('heading', { level: 1, name: 'Which greeting?' }).waitFor();
    await page.getByRole('radio', { name: /^hello Recommended/ }).check();
    await page.getByRole('textbox', { name: 'Rationale' }).fill('It is shorter.');
    await page.getByRole('button', { name: 'Decide' }).click();
    await page.waitForURL(`**/run/${id}`);

    await page.getByText('The result is ready for your review.').waitFor();
    await page.getByRole('link', { name: 'Review' }).first().click();
    await page.getByRole('button', { name: 'Comment on greeting.txt, line 1' }).click();
    await page.getByRole('textbox', { name: 'Comment on greeting.txt, line 1' }).fill('Say welcome too.');
    await page.getByRole('button', { name: 'Add comment' }).click();
    await page.getByLabel('What should change?').fill('Warmer, please.');
    await page.getByRole('button', { name: /Request changes/ }).click();
    await page.waitForURL(`**/run/${id}`);

    // The page may show the first result until it learns of the request, and the second one soon after.
    const reached = async () => {
      const state = await readState(files);
      return [state?.iteration, state?.phase];
    };
    await expect.poll(reached, WAIT).toEqual([2, 'ready_for_merge']);
    await page.getByText('The result is ready for your review.').waitFor();
    const prompt = await readFile(files.prompt('builder'), 'utf8');
    expect(prompt).toContain('Warmer, please.');
    expect(prompt).toMatch(/greeting\.txt:1\n.*Say welcome too\./);
    expect(prompt).toContain('Rationale: It is shorter.');

    await page.getByRole('link', { name: 'Review' }).first().click();
    await page.getByText('hello, and welcome').first().waitFor();
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
    await page.getByText('Completed: merged into main').first().waitFor();

    expect(await page.evaluate('window.untouched')).toBe(true);
    expect(complaints).toEqual([]);
    expect(await readFile(join(project.root, 'greeting.txt'), 'utf8')).toBe('hello, and welcome\n');
    expect(await project.git('status', '--porcelain')).not.toContain('greeting');
  },
);
