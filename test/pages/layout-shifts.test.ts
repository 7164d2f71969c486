/** Tests that nothing on a page moves after it is shown: a click must not land on something else. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ASKING, BUILDING, cannotRun, openSite, READY, type Site } from './pages-server.ts';
import { addSecondRound, RETRY } from './run-after-feedback.ts';

const WAIT = { timeout: 120_000 };
/** Delays (ms) the answers of the server, each by another time, so that they arrive in different frames. */
const DELAYS_MS = [50, 250, 450];
/** Records what moves inside of `<main>`, as the browser reports it. */
const RECORDS_SHIFTS = `window.moved = [];
new PerformanceObserver(list => {
  for (const { sources } of list.getEntries())
    for (const { node, previousRect, currentRect } of sources)
      if (node?.parentElement?.closest('main') && previousRect.height > 0 && currentRect.height > 0)
        window.moved.push(node.textContent.slice(0, 80) + ': ' + previousRect.y + ' to ' + currentRect.y);
}).observe({ type: 'layout-shift', buffered: true });`;

if (cannotRun) console.warn(`Layout shifts are not tested: ${cannotRun}.`);

describe.skipIf(cannotRun)('after a page is shown, nothing on it moves', () => {
  let site: Site;

  beforeAll(async () => {
    site = await openSite();
    await addSecondRound(site);
  });
  afterAll(() => site?.close());

  const moved = (page: Page) =>
    page.evaluate(() => (globalThis as unknown as { moved: readonly string[] }).moved);

  it.each([
    ['the overview', '/', 'Recent runs'],
    ['a run', `/run/${BUILDING}`, 'Timeline'],
    ['a question', `/run/${ASKING}/crp/crp-001`, 'Context'],
    ['a review after feedback', `/run/${READY}/mrp`, 'Changes'],
  ])('%s', async (_, path, last) => {
    const { page, go, complaints, context } = await site.visitor();
    let requests = 0;
    await page.route(/\/api\//, async route => {
      await new Promise(resolve => setTimeout(resolve, DELAYS_MS[requests++ % DELAYS_MS.length]));
      await route.fallback();
    });
    await page.addInitScript({ content: RECORDS_SHIFTS });
    await go(path);
    await page.getByRole('heading', { name: last }).first().waitFor(WAIT);
    await page.waitForLoadState('networkidle');
    expect(await moved(page)).toEqual([]);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('the lines of a diff stay where they are while images above them load', async () => {
    const { page, go, complaints, context } = await site.visitor();
    let load = () => {};
    const loading = new Promise<void>(resolve => {
      load = resolve;
    });
    await page.route(/logo\.png/, async route => {
      await loading;
      await route.continue();
    });
    await go(`/run/${READY}/mrp`);
    const file = page.getByRole('region', { name: RETRY, exact: true });
    await file.waitFor(WAIT);
    const top = (await file.boundingBox())!.y;
    load();
    const images = page.getByRole('region', { name: 'logo.png', exact: true }).getByRole('img');
    await images.nth(1).waitFor(WAIT);
    expect((await file.boundingBox())!.y).toBe(top);
    expect(complaints).toEqual([]);
    await context.close();
  });
});
