/**
 * Every action that changes a run, the settings or the session, with the keyboard alone. Tests of single keys
 * are next to the other tests of their pages.
 */
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunEvent } from '../../src/formats/events/events.ts';
import { load } from '../../src/formats/read-and-write-files.ts';
import { requestFiles } from '../../src/formats/requests-and-feedback.ts';
import { cannotRun, openSite, type Site, toasted, type Visitor } from './pages-server.ts';

const WAIT = { timeout: 120_000 };
/** More elements than any of these pages has. */
const MOST_TABS = 150;

if (cannotRun) console.warn(`The pages are not tested by keyboard: ${cannotRun}.`);

describe.skipIf(cannotRun)('by keyboard', () => {
  let site: Site;
  beforeAll(async () => {
    site = await openSite();
  });
  afterAll(() => site?.close());

  const visiting = async (path: string, look: (visitor: Visitor) => Promise<void>, expected = /^$/) => {
    const visitor = await site.visitor();
    try {
      await visitor.go(path);
      await look(visitor);
      expect(visitor.complaints.filter(said => !expected.test(said))).toEqual([]);
    } finally {
      await visitor.context.close();
    }
  };
  const hasFocus = async (element: Locator) =>
    (await element.and(element.page().locator(':focus')).count()) === 1;
  const tabTo = async (page: Page, element: Locator) => {
    await element.waitFor(WAIT);
    for (let tabs = 0; tabs < MOST_TABS; tabs += 1) {
      if (await hasFocus(element)) return;
      await page.keyboard.press('Tab');
    }
    throw new Error(`${element} is not reached with Tab`);
  };
  /** What a driver records when it restarts an agent. */
  const nextLaunch = async (run: string): Promise<RunEvent[]> => {
    const at = new Date().toISOString();
    const last = (await site.events(run)).findLast(event => event.type === 'agent.started')!;
    return [
      {
        at,
        type: 'agent.exited',
        agent: last.agent,
        step: last.step,
        launch: last.launch,
        outcome: 'stopped',
        kind: null,
        message: '',
        retry_at: null,
        session: null,
        asks: false,
        usage: null,
      },
      { ...last, at, launch: last.launch + 1 },
    ];
  };
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

  it.each([
    ['Extend by 10 minutes', 'extend'],
    ['Restart the agent', 'retry'],
  ] as const)('%s can be reached with Tab and activated with Enter', async (name, request) => {
    const run = await site.add('building');
    await visiting(`/run/${run}`, async ({ page }) => {
      await tabTo(page, button(page, name));
      await page.keyboard.press('Enter');
      const asked = () => load(requestFiles[request], site.files(run).request(request));
      await expect.poll(asked, WAIT).not.toBeNull();
      await toasted(page, request === 'extend' ? 'time limit extended by 10 min' : 'restarted on request');
      if (request === 'retry') {
        // There is nothing to extend or to restart until the previous agent has ended and its cost is known.
        await expect.poll(() => button(page, name).isDisabled(), WAIT).toBe(true);
        await site.tell(run, ...(await nextLaunch(run)));
      }
      await expect.poll(() => hasFocus(button(page, name)), WAIT).toBe(true);
    });
  });

  it('stopping a run asks for confirmation; Escape cancels', async () => {
    const run = await site.add('building');
    await visiting(`/run/${run}`, async ({ page }) => {
      const stop = page.locator('main').getByRole('button', { name: 'Stop the run', exact: true });
      const dialog = page.getByRole('dialog');
      await tabTo(page, stop);
      await page.keyboard.press('Enter');
      await dialog.waitFor(WAIT);
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached', ...WAIT });
      await expect.poll(() => hasFocus(stop), WAIT).toBe(true);
      expect(await load(requestFiles.stop, site.files(run).request('stop'))).toBeNull();
      await page.keyboard.press('Enter');
      await tabTo(page, dialog.getByRole('button', { name: 'Stop the run', exact: true }));
      await page.keyboard.press('Enter');
      await page.getByText('The run was stopped').first().waitFor(WAIT);
      expect(await load(requestFiles.stop, site.files(run).request('stop'))).not.toBeNull();
    });
  });

  it('Ctrl+Enter in any field of the dialog approves a result, but does not stop a run', async () => {
    const run = await site.add('ready');
    await visiting(`/run/${run}/mrp`, async ({ page }) => {
      await tabTo(page, button(page, 'Approve'));
      await page.keyboard.press('Enter');
      await page.getByRole('dialog').getByRole('combobox').focus();
      await page.keyboard.press('Control+Enter');
      await page.waitForURL(`**/run/${run}`, WAIT);
      const request = await load(requestFiles.approve, site.files(run).request('approve'));
      expect(request).toMatchObject({ how: 'merge' });
    });
    const working = await site.add('building');
    await visiting(`/run/${working}`, async ({ page }) => {
      await page.locator('main').getByRole('button', { name: 'Stop the run', exact: true }).click();
      await page.getByRole('dialog').waitFor(WAIT);
      await page.keyboard.press('Control+Enter');
      expect(await load(requestFiles.stop, site.files(working).request('stop'))).toBeNull();
    });
  });

  it('a setting is changed, confirmed where it has to be, and saved', async () => {
    await visiting('/settings', async ({ page }) => {
      const files = page.getByRole('navigation', { name: 'Files' });
      const other = files.getByRole('button').nth(1);
      await tabTo(page, other);
      await page.keyboard.press('Enter');
      await expect.poll(() => other.getAttribute('aria-current'), WAIT).toBe('true');
      await tabTo(page, files.getByRole('button').first());
    });
    await visiting('/settings', async ({ page }) => {
      const rounds = page.locator('[id="global.max_iterations"]');
      await tabTo(page, rounds);
      await page.keyboard.press('Control+a');
      await page.keyboard.type('4');
      await page.keyboard.press('Control+Enter');
      await toasted(page, 'Saved.');
      expect(await rounds.inputValue()).toBe('4');
      await expect.poll(() => hasFocus(rounds), WAIT).toBe(true);

      await tabTo(page, page.locator('[id="global.workspace.setup"]'));
      await page.keyboard.type('npm ci');
      await tabTo(page, button(page, 'Save'));
      await page.keyboard.press('Enter');
      const dialog = page.getByRole('dialog');
      await tabTo(page, dialog.getByRole('button', { name: 'Save', exact: true }));
      await page.keyboard.press('Enter');
      await dialog.waitFor({ state: 'detached', ...WAIT });
      await expect.poll(() => button(page, 'Save').isDisabled(), WAIT).toBe(true);
      await page.reload();
      const setup = page.locator('[id="global.workspace.setup"]');
      await setup.waitFor(WAIT);
      expect(await setup.inputValue()).toBe('npm ci');
    });
  });

  // This test comes last, because it ends the session of all visitors.
  it('a visitor signs out', async () => {
    const look = async ({ page }: Visitor) => {
      await tabTo(page, button(page, 'Sign out'));
      await page.keyboard.press('Enter');
      await page.getByText('You are signed out.').waitFor(WAIT);
    };
    // The page tries to reconnect if its socket was closed before it learned that the session has ended.
    await visiting('/settings', look, /401 .*\/api\/session\/proof$/);
  });
});
