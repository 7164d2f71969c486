/** Tests of a review after changes were requested: real commits, a real server and a browser. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cannotRun, openSite, READY, type Site } from './pages-server.ts';
import { addSecondRound, COMMENTS, RETRY } from './run-after-feedback.ts';

const WAIT = { timeout: 120_000 };
if (cannotRun) console.warn(`The second round is not tested: ${cannotRun}.`);

describe.skipIf(cannotRun)('a review after feedback', () => {
  let site: Site;

  beforeAll(async () => {
    site = await openSite();
    await addSecondRound(site);
  });
  afterAll(() => site?.close());

  it('shows each comment with the change that answers it', async () => {
    const { page, go, complaints, context } = await site.visitor();
    await go(`/run/${READY}/mrp`);
    const since = page.getByRole('region', { name: 'Since pack 1' });
    await since.getByText('Be kinder to the server.').waitFor(WAIT);
    const item = (text: string) => since.getByRole('listitem').filter({ hasText: text });
    await item('Slower here.').getByText('step(11, "slowly");').waitFor(WAIT);
    await item('Why so many?').getByText('These lines did not change.').waitFor(WAIT);
    await item('Keep the pause.').getByText('export const pause = 10;').waitFor(WAIT);
    expect(await item('Slower here.').getByText('export const pause').count()).toBe(0);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('shows only what changed since pack 1, and accepts comments on lines of the result', async () => {
    const { page, go, complaints, context } = await site.visitor();
    await go(`/run/${READY}/mrp`);
    const file = page.getByRole('region', { name: RETRY, exact: true });
    await file.scrollIntoViewIfNeeded();
    await file.getByText('limit = 3').waitFor(WAIT);
    await page.getByLabel('Only changes since pack 1').check();
    await file.getByText('"slowly"').waitFor(WAIT);
    await file.getByText('limit = 3').waitFor({ state: 'detached', ...WAIT });
    expect(await file.getByRole('button', { name: /deleted line/ }).count()).toBe(0);
    await file.getByRole('button', { name: `Comment on ${RETRY}, line 14` }).click();
    await page.keyboard.type('Better.');
    await page.keyboard.press('Control+Enter');
    await file.getByText('Better.').waitFor(WAIT);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('still shows the first pack with its comments, but offers no decision on it', async () => {
    const { page, go, complaints, context } = await site.visitor();
    await go(`/run/${READY}/mrp`);
    await page.getByRole('navigation', { name: 'Packs of this run' }).getByText('Pack 1').click();
    const file = page.getByRole('region', { name: RETRY, exact: true });
    await file.getByText('step(29);').waitFor(WAIT);
    for (const { comment } of COMMENTS) await file.getByText(comment).waitFor(WAIT);
    expect(await page.getByRole('button', { name: /Approve|Request changes|Comment on/ }).count()).toBe(0);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('shows unchanged lines and both versions of an image, from the sealed trees', async () => {
    const { page, go, complaints, context } = await site.visitor();
    await go(`/run/${READY}/mrp`);
    await page.getByLabel('Only changes since pack 1').check();
    const file = page.getByRole('region', { name: RETRY, exact: true });
    await file.getByText('"slowly"').waitFor(WAIT);
    await file.getByText('step(25);').waitFor({ state: 'detached', ...WAIT });
    await file.getByRole('button', { name: 'Show more' }).click();
    await file.getByText('step(25);').waitFor(WAIT);
    await file.getByRole('button', { name: /Show \d+ unchanged lines/ }).click();
    await file.getByText('step(6);').waitFor(WAIT);
    const images = page.getByRole('region', { name: 'logo.png', exact: true }).getByRole('img');
    await images.nth(1).waitFor(WAIT);
    for (const shown of await images.all())
      await expect
        .poll(() => shown.evaluate(img => (img as unknown as { naturalWidth: number }).naturalWidth), WAIT)
        .toBe(1);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('prefills a suggested change with the commented line', async () => {
    const { page, go, context } = await site.visitor();
    await go(`/run/${READY}/mrp`);
    const file = page.getByRole('region', { name: RETRY, exact: true });
    await file.scrollIntoViewIfNeeded();
    await file.getByRole('button', { name: `Comment on ${RETRY}, line 4`, exact: true }).click();
    await page.getByRole('button', { name: 'Suggest a change' }).click();
    const suggested = () => file.getByRole('textbox').inputValue();
    await expect.poll(suggested, WAIT).toBe('```suggestion\nstep(1);\n```');
    await context.close();
  });
});
