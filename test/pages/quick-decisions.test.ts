/** Decisions that take few steps, in a real browser: on the overview, by keyboard, and with two windows. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { vcrFile } from '../../src/formats/crp-and-vcr.ts';
import { load, readFormat } from '../../src/formats/read-and-write-files.ts';
import { requestFiles } from '../../src/formats/requests-and-feedback.ts';
import { ALSO_READY, ASKING, BUILDING, cannotRun, openSite, READY, type Site } from './pages-server.ts';

const WAIT = { timeout: 120_000 };

if (cannotRun) console.warn(`Decisions on the overview are not tested: ${cannotRun}.`);

describe.skipIf(cannotRun)('quick decisions', () => {
  let site: Site;
  beforeAll(async () => {
    site = await openSite();
  });
  afterAll(() => site?.close());

  it('a question is answered with one click on the overview, where the run that has waited longest comes first', async () => {
    const { page, complaints, context } = await site.visitor();
    const cards = page.locator('.card.wants');
    await cards.nth(2).waitFor(WAIT);
    const titles = async () => (await cards.locator('.card-title').allTextContents())[0];
    await expect.poll(titles, WAIT).toBe('A dark theme');
    const card = cards.filter({ hasText: 'Should the limit hold' });
    expect(await card.getByRole('button').first().textContent()).toBe('For each account (Recommended)');
    await card.getByRole('button', { name: 'For each address' }).click();
    await card.waitFor({ state: 'detached', ...WAIT });
    const answer = await readFormat(vcrFile, site.files(ASKING).vcr('vcr-001'));
    expect(answer.is === 'value' && answer.value.decision).toBe('address');
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('a change can be approved with three key presses', async () => {
    const { page, complaints, context } = await site.visitor();
    await page.locator('.card.wants').first().waitFor(WAIT);
    await page.keyboard.press('n');
    await page.waitForURL(`**/run/${ALSO_READY}/mrp`, WAIT);
    await page.locator('.decision-bar').getByRole('button', { name: 'Approve' }).waitFor(WAIT);
    await page.keyboard.press('a');
    await page.getByRole('dialog').waitFor(WAIT);
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/run/${ALSO_READY}`, WAIT);
    expect(await load(requestFiles.approve, site.files(ALSO_READY).request('approve'))).not.toBeNull();
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('the page shows a notice while its run is open in another window', async () => {
    const [one, other] = [await site.visitor(), await site.visitor()];
    await one.go(`/run/${READY}/mrp`);
    await other.go(`/run/${READY}`);
    for (const { page } of [one, other]) await page.getByText('Also open in 1 other window').waitFor(WAIT);
    await other.context.close();
    await one.page.getByText('Also open in').waitFor({ state: 'detached', ...WAIT });
    await one.context.close();
  });

  it("the run page shows someone else's decision, and who made it, how and when", async () => {
    const { page, complaints, context, go } = await site.visitor();
    await go(`/run/${BUILDING}`);
    await page.locator('.event').first().waitFor(WAIT);
    const by = { who: 'Grace <grace@example.com>', through: 'terminal', nonce: '0'.repeat(32) } as const;
    const builder = { agent: 'builder', step: 'build', launch: 3, by };
    const at = () => new Date().toISOString();
    const notices = page.getByRole('status').getByRole('listitem');
    const decided = (what: string) =>
      notices
        .filter({ hasText: /^Grace <grace@example\.com> \(in a terminal\), \d\d:\d\d:\d\d: / })
        .filter({ hasText: what });
    await site.tell(BUILDING, {
      at: at(),
      type: 'agent.extended',
      ...builder,
      asked_at: at(),
      ms: 60_000,
    });
    await decided('time limit extended by 60 s').waitFor(WAIT);
    await site.tell(BUILDING, { at: at(), type: 'agent.retried', ...builder, asked_at: at() });
    await decided('restarted on request').waitFor(WAIT);
    const event = page.locator('.event', { hasText: 'restarted on request' });
    expect(await event.textContent()).toContain('Grace <grace@example.com> (in a terminal)');
    await page.getByRole('button', { name: 'Dismiss' }).click();
    await notices.first().waitFor({ state: 'detached', ...WAIT });
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('Ctrl+K finds a run by part of its title', async () => {
    const { page, complaints, context } = await site.visitor();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('limit the att');
    await page.getByRole('dialog').getByRole('link', { name: 'Limit the attempts to log in' }).waitFor(WAIT);
    await expect.poll(() => page.getByRole('dialog').getByRole('link').count(), WAIT).toBe(1);
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/run/${READY}/mrp`, WAIT);
    expect(complaints).toEqual([]);
    await context.close();
  });
});
