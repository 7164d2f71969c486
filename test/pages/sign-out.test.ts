/** Signing out in one tab ends the session of all tabs. */
import { expect, it } from 'vitest';
import { cannotRun, openSite } from './pages-server.ts';

const WAIT = { timeout: 120_000 };

it.skipIf(cannotRun)(
  'after the user signs out, every tab says so, and no tab gets the session back from another',
  async () => {
    const site = await openSite();
    const { context, page } = await site.visitor();
    try {
      const other = await context.newPage();
      await other.goto(site.url);
      await other.getByRole('heading', { level: 1 }).waitFor(WAIT);
      await page.goto(`${site.url}/settings`);
      await page.getByRole('button', { name: 'Sign out' }).click();
      for (const tab of [page, other]) await tab.getByText('You are signed out.').waitFor(WAIT);
      await page.reload();
      await page.getByText('You are signed out.').waitFor(WAIT);
      expect(await page.evaluate("sessionStorage.getItem('dure.token')")).toBeNull();
    } finally {
      await context.close();
      await site.close();
    }
  },
);
