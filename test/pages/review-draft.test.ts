/** Tests of what is typed about a pack before it is sent, with the real server and a real browser. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { load } from '../../src/formats/read-and-write-files.ts';
import { feedbackFile } from '../../src/formats/requests-and-feedback.ts';
import { cannotRun, openSite, READY, type Site } from './pages-server.ts';

const WAIT = { timeout: 120_000 };
/** As if the storage that the browser allows this page were full. */
const FULL_STORAGE = `Storage.prototype.setItem = () => {
  throw new DOMException('The quota has been exceeded.', 'QuotaExceededError');
}`;

if (cannotRun) console.warn(`Drafts of a review are not tested: ${cannotRun}.`);

describe.skipIf(cannotRun)('the draft of a review', () => {
  let site: Site;
  beforeAll(async () => {
    site = await openSite();
  });
  afterAll(() => site?.close());

  it('is mentioned in the approval dialog, because it will not be sent', async () => {
    const { page, go, complaints, context } = await site.visitor();
    await go(`/run/${READY}/mrp`);
    await page.getByLabel('What should change?').fill('Slower.');
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.getByRole('dialog').getByText('1 comment will not be sent.').waitFor(WAIT);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('is sent even if the browser has no space left to store it', async () => {
    const { page, go, complaints, context } = await site.visitor();
    await page.addInitScript(FULL_STORAGE);
    await go(`/run/${READY}/mrp`);
    const file = page.getByRole('region', { name: 'src/login.ts', exact: true });
    await file.getByLabel('Viewed').check();
    await file.getByLabel('Viewed').uncheck();
    await page.getByRole('button', { name: 'Comment on src/login.ts, line 7', exact: true }).click();
    await page.keyboard.type('Why?');
    await page.keyboard.press('Control+Enter');
    await page.locator('.remark').getByText('Why?').waitFor(WAIT);
    const feedback = page.getByLabel('What should change?');
    await feedback.pressSequentially('Slower.');
    expect(await feedback.inputValue()).toBe('Slower.');
    await page.getByText('The browser has no space left').waitFor(WAIT);
    await page.getByRole('button', { name: 'Request changes' }).click();
    await page.waitForURL(`**/run/${READY}`, WAIT);
    expect(await load(feedbackFile, site.files(READY).feedbackOf(1))).toMatchObject({
      feedback: 'Slower.',
      comments: [{ line: 7, comment: 'Why?' }],
    });
    expect(complaints).toEqual([]);
    await context.close();
  });
});
