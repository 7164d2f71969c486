/** End-to-end tests of the built web UI, with the real server and a real browser. */
import { appendFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { vcrFile } from '../../src/formats/crp-and-vcr.ts';
import { load, readFormat, replaceJson } from '../../src/formats/read-and-write-files.ts';
import { feedbackFile, requestFiles } from '../../src/formats/requests-and-feedback.ts';
import {
  ALSO_READY,
  ASKING,
  BACKENDS,
  BUILDING,
  cannotRun,
  openSite,
  READY,
  type Site,
  toasted,
  type Visitor,
} from './pages-server.ts';
import { TREE } from './sample-run.ts';

const WAIT = { timeout: 120_000 };
/** The contrast (WCAG 2) of each styled part of the agent's output. */
const CONTRASTS = `(() => {
  const brush = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const luminance = color => {
    brush.fillStyle = color;
    brush.fillRect(0, 0, 1, 1);
    const [r, g, b] = [...brush.getImageData(0, 0, 1, 1).data]
      .map(byte => byte / 255)
      .map(part => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const log = document.querySelector('[role=log]');
  const sheet = getComputedStyle(log).backgroundColor;
  return [...log.querySelectorAll('span')].map(part => {
    const { color, backgroundColor } = getComputedStyle(part);
    const behind = backgroundColor === 'rgba(0, 0, 0, 0)' ? sheet : backgroundColor;
    const [dark, light] = [luminance(color), luminance(behind)].sort((a, b) => a - b);
    return { text: part.textContent, style: color + ' on ' + behind, contrast: (light + 0.05) / (dark + 0.05) };
  });
})()`;

if (cannotRun) console.warn(`The pages are not tested: ${cannotRun}.`);

describe.skipIf(cannotRun)('the web UI', () => {
  let site: Site;
  beforeAll(async () => {
    site = await openSite();
  });
  afterAll(() => site?.close());

  const visiting = async (
    with_: (visitor: Visitor) => Promise<void>,
    more?: Parameters<Site['visitor']>[0],
  ) => {
    const visitor = await site.visitor(more);
    try {
      await with_(visitor);
      expect(visitor.complaints).toEqual([]);
    } finally {
      await visitor.context.close();
    }
  };
  const settled = async (page: Page) => {
    await page.waitForLoadState('networkidle');
    await page
      .locator('.bones')
      .first()
      .waitFor({ state: 'detached', ...WAIT });
  };

  describe('the session', () => {
    it('comes from a one-time code that is removed from the URL immediately', async () => {
      const entry = site.entry();
      const stranger = await site.stranger();
      const page = await stranger.newPage();
      await page.goto(entry);
      await page.getByRole('heading', { level: 1, name: 'storefront' }).waitFor(WAIT);
      expect(page.url()).toBe(`${site.url}/`);
      expect(
        await page.evaluate('Object.keys(localStorage).some(key => /token/.test(key)) || document.cookie'),
      ).toBe('');
      const thief = await site.stranger();
      const stolen = await thief.newPage();
      await stolen.goto(entry);
      await stolen.getByText('You are signed out.').waitFor(WAIT);
      const codes = () => stolen.locator('main code').allTextContents();
      await expect.poll(codes, WAIT).toEqual(['dure pages']);
      expect(await stolen.locator('main').innerText()).not.toContain('`');
      await Promise.all([stranger.close(), thief.close()]);
    });

    it('is shared with a new tab of the same browser', async () => {
      const stranger = await site.stranger();
      const first = await stranger.newPage();
      await first.goto(site.entry());
      await first.getByRole('heading', { level: 1, name: 'storefront' }).waitFor(WAIT);
      const second = await stranger.newPage();
      await second.goto(`${site.url}/history`);
      await second.getByRole('link', { name: 'A dark theme 30', exact: true }).waitFor(WAIT);
      await stranger.close();
    });
  });

  describe('a new run', () => {
    it('keeps its draft across a reload and discards it once the run has started', async () => {
      await visiting(async ({ page, go }) => {
        await go('/run/new');
        await page.getByRole('textbox', { name: 'Briefing' }).fill('# Sort the list\n\n- [ ] sorted by name');
        await page.getByLabel('Budget (US dollars)').fill('2.5');
        await page.reload();
        await page.getByRole('button', { name: 'Preview' }).click();
        await page.getByRole('heading', { name: 'Sort the list' }).waitFor(WAIT);
        await page.getByRole('button', { name: 'Start the run' }).click();
        await page.waitForURL('**/run/run-20261121-160000', WAIT);
        expect(site.started.at(-1)).toMatchObject({
          briefing: '# Sort the list\n\n- [ ] sorted by name',
          budget_usd: 2.5,
        });
        await go('/run/new');
        expect(await page.getByRole('textbox', { name: 'Briefing' }).inputValue()).toBe('');
      });
    });
  });

  describe('one run', () => {
    it('shows agent output as plain text', async () => {
      await visiting(async ({ page, go }) => {
        await go(`/run/${BUILDING}`);
        const output = page.getByRole('log', { name: /Builder/ });
        await output.getByText('<b>not bold</b>').waitFor(WAIT);
        expect(await output.locator('b, script').count()).toBe(0);
        expect(await page.title()).not.toContain('taken');
      });
    });

    it('shows the output of agents in colour, legible in both themes and searchable as plain text', async () => {
      const run = await site.add('building');
      const numbers = [...Array(256).keys()];
      const lines = [
        'plain',
        ...numbers.map(n => `\u001b[38;5;${n}mfront ${n}`),
        ...numbers.map(n => `\u001b[48;5;${n}mbehind ${n}`),
        ...numbers.map(n => `\u001b[2;38;5;${n};48;5;${(n * 7) % 256}mboth ${n}`),
      ];
      const stream = site.files(run).stream('builder', 3);
      await mkdir(dirname(stream), { recursive: true });
      await writeFile(stream, `${lines.join('\n')}\n`);
      await visiting(async ({ page, go }) => {
        await go(`/run/${run}`);
        const output = page.getByRole('log', { name: /Builder/ });
        await output.getByText('both 255').waitFor(WAIT);
        await expect.poll(() => output.locator('span').count(), WAIT).toBe(3 * 256);
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme });
          const seen = (await page.evaluate(CONTRASTS)) as {
            text: string;
            style: string;
            contrast: number;
          }[];
          expect(seen.filter(({ contrast }) => contrast < 4.5)).toEqual([]);
          expect(new Set(seen.map(({ style }) => style)).size).toBeGreaterThan(300);
        }
        await page.getByRole('searchbox', { name: /Builder/ }).fill('front 1');
        await expect.poll(() => output.locator('p').count(), WAIT).toBe(1 + 10 + 100);
      });
    });

    it('shows the verdicts of an iteration in order', async () => {
      await visiting(async ({ page, go }) => {
        await go(`/run/${ALSO_READY}`);
        await page.getByText('Minor issues → Pass', { exact: true }).waitFor(WAIT);
      });
    });

    it('says how it ended', async () => {
      await visiting(async ({ page, go }) => {
        await go('/run/run-20261001-100000');
        await page.locator('.note').getByText('The run was stopped: no longer needed').waitFor(WAIT);
      });
    });

    it('updates without a reload', async () => {
      await visiting(async ({ page, go }) => {
        await go(`/run/${BUILDING}`);
        await settled(page);
        const at = new Date().toISOString();
        await site.tell(BUILDING, {
          at,
          type: 'agent.timeout',
          agent: 'builder',
          step: 'build',
          launch: 3,
          action: 'warn',
          after_ms: 600_000,
        });
        await page.getByText('Builder exceeded its time limit after 10 min').waitFor(WAIT);
        await page.getByRole('button', { name: 'Extend by 10 minutes' }).click();
        await toasted(page, 'Builder: time limit extended by 10 min');
        await page.locator('.event').getByText('Builder: time limit extended by 10 min').waitFor(WAIT);
        expect((await load(requestFiles.extend, site.files(BUILDING).request('extend')))?.ms).toBe(600_000);
      });
    });

    it('limits the lines shown and stays responsive when an agent prints very fast', async () => {
      await visiting(async ({ page, go }) => {
        await go(`/run/${BUILDING}`);
        const output = page.getByRole('log', { name: /Builder/ });
        await output.getByText('Reading src/login.ts').waitFor(WAIT);
        const flood = `${'a line that says nothing at all. '.repeat(4)}\n`.repeat(60_000);
        for (let round = 0; round < 5; round += 1)
          await appendFile(site.files(BUILDING).stream('builder', 3), flood);
        await appendFile(site.files(BUILDING).stream('builder', 3), 'the very last line\n');
        await output.getByText('the very last line').waitFor(WAIT);
        await output.getByText(/omitted$/).waitFor(WAIT);
        expect(await output.locator('p').count()).toBeLessThan(900);
      });
    });

    it('disables its buttons while there is no connection, and says why', async () => {
      await visiting(async ({ context, page, go, complaints }) => {
        const create = await context.newPage();
        await create.goto(`${site.url}/run/new`);
        await create.getByRole('textbox', { name: 'Briefing' }).fill('Sort the list by name.');
        await go(`/run/${BUILDING}`);
        const requests = ['Extend by 10 minutes', 'Restart the agent', 'Stop the run'];
        await page.getByRole('button', { name: 'Stop the run' }).click();
        await site.stopServer();
        await page.getByText('Not connected.').waitFor(WAIT);
        const sure = page.getByRole('dialog').getByRole('button', { name: 'Stop the run' });
        expect(await sure.isDisabled()).toBe(true);
        await page.getByRole('button', { name: 'Cancel' }).click();
        for (const name of requests) {
          const button = page.getByRole('button', { name });
          expect(await button.isDisabled(), name).toBe(true);
          const reason = await button.getAttribute('aria-describedby');
          expect(await page.locator(`[id="${reason}"]`).innerText()).toMatch(/^Not connected\./);
        }
        const before = site.started.length;
        await create.getByText('Not connected.').waitFor(WAIT);
        await create.getByRole('textbox', { name: 'Briefing' }).press('Control+Enter');
        await site.startServer();
        await page.getByText('Not connected.').waitFor({ state: 'detached', ...WAIT });
        for (const name of requests) expect(await page.getByRole('button', { name }).isEnabled()).toBe(true);
        await create.getByText('Not connected.').waitFor({ state: 'detached', ...WAIT });
        expect(await create.getByRole('button', { name: 'Start the run' }).isEnabled()).toBe(true);
        expect(await create.getByRole('alert').count()).toBe(0);
        expect(site.started).toHaveLength(before);
        complaints.length = 0;
      });
    });

    it('recovers without a reload after the server was down', async () => {
      await visiting(async ({ page, go, complaints }) => {
        await go(`/run/${BUILDING}`);
        await settled(page);
        await page.evaluate('window.untouched = true');
        await site.stopServer();
        await page.getByText('Not connected.').waitFor(WAIT);
        await site.tell(BUILDING, {
          at: new Date().toISOString(),
          type: 'agent.waits',
          agent: 'builder',
          step: 'build',
          launch: 3,
          until: new Date(Date.now() + 60_000).toISOString(),
          message: 'said while nobody served',
        });
        await site.startServer();
        await page.getByText('said while nobody served').waitFor(WAIT);
        await page.getByText('Not connected.').waitFor({ state: 'detached', ...WAIT });
        expect(await page.evaluate('window.untouched')).toBe(true);
        complaints.length = 0;
      });
    });

    it('reloads itself when the server comes back with another version, and keeps a draft', async () => {
      await visiting(async ({ page, go, complaints }) => {
        await go('/run/new');
        await page.getByRole('textbox', { name: 'Briefing' }).fill('Half a briefing');
        await page.evaluate('window.isOldPage = true');
        await site.stopServer();
        await site.startServer('0.2.0');
        await expect.poll(() => page.evaluate('window.isOldPage'), WAIT).toBeUndefined();
        const briefing = page.getByRole('textbox', { name: 'Briefing' });
        await expect.poll(() => briefing.inputValue(), WAIT).toBe('Half a briefing');
        complaints.length = 0;
      });
      await site.stopServer();
      await site.startServer();
    });

    it('shows the event that is recorded when an agent is restarted', async () => {
      await visiting(async ({ page, go }) => {
        await go('/run/run-20261121-160000');
        await page.getByRole('button', { name: 'Restart the agent' }).click();
        await toasted(page, 'Builder restarted on request');
      });
    });

    it('shows the command for watching the agents in a terminal', async () => {
      await visiting(async ({ page, go }) => {
        await go(`/run/${BUILDING}`);
        const said = page.getByText('To watch the agents in a terminal:');
        await said.locator('code').getByText(`dure attach ${BUILDING}`).waitFor(WAIT);
      });
    });

    it('asks for confirmation before it is stopped', async () => {
      await visiting(async ({ page, go }) => {
        await go('/run/run-20261121-160000');
        await page.getByRole('button', { name: 'Stop the run' }).click();
        const dialog = page.getByRole('dialog', { name: 'Stop the run' });
        await dialog.getByRole('button', { name: 'Cancel' }).click();
        expect(await load(requestFiles.stop, site.files('run-20261121-160000').request('stop'))).toBeNull();
        await page.getByRole('button', { name: 'Stop the run' }).click();
        await dialog.getByRole('button', { name: 'Stop the run' }).click();
        await page.locator('.head').getByText('Stopped').waitFor(WAIT);
        await toasted(page, 'Stopped');
      });
    });
  });

  describe('a question', () => {
    it('can be answered with the keyboard alone, and its draft survives a reload', async () => {
      await visiting(async ({ page, go }) => {
        await go(`/run/${ASKING}/crp/crp-001`);
        await page.getByRole('radio', { name: /^For each account Recommended .*Risk: A stranger/ }).focus();
        await page.getByText('<b>now</b>').waitFor(WAIT);
        await page.keyboard.press('ArrowDown');
        await page.keyboard.press('Tab');
        await page.keyboard.type('Offices are rare among our users.');
        await page.reload();
        expect(await page.getByRole('radio', { name: /For each address/ }).isChecked()).toBe(true);
        await page.getByLabel('Apply to later runs too').check();
        await page.getByRole('textbox', { name: 'Rationale' }).focus();
        await page.keyboard.press('Control+Enter');
        await page.waitForURL(`**/run/${ASKING}`, WAIT);
        const answer = await readFormat(vcrFile, site.files(ASKING).vcr('vcr-001'));
        expect(answer.is === 'value' && answer.value).toMatchObject({
          decision: 'address',
          rationale: 'Offices are rare among our users.',
          applies_to_future: true,
        });
        await go(`/run/${ASKING}/crp/crp-001`);
        await page.getByText('This question has been answered.').waitFor(WAIT);
      });
    });
  });

  describe('a review', () => {
    it('sends line comments as feedback, and keeps them across a reload', async () => {
      await visiting(async ({ page, go }) => {
        await go(`/run/${READY}/mrp`);
        await page.getByRole('button', { name: 'Comment on src/login.ts, line 9' }).click();
        await page
          .getByRole('textbox', { name: 'Comment on src/login.ts, line 9' })
          .fill('Clear old buckets.');
        await page.getByRole('button', { name: 'Add comment' }).click();
        await page.reload();
        await page.locator('.remark').getByText('Clear old buckets.').waitFor(WAIT);
        await page.getByLabel('What should change?').fill('Nearly there.');
        await page.getByRole('button', { name: /Request changes/ }).click();
        await page.waitForURL(`**/run/${READY}`, WAIT);
        expect(await load(feedbackFile, site.files(READY).feedbackOf(1))).toMatchObject({
          tree: TREE,
          feedback: 'Nearly there.',
          comments: [{ file: 'src/login.ts', line: 9, comment: 'Clear old buckets.' }],
        });
      });
    });

    it('moves between lines with the arrow keys and comments with `c`', async () => {
      await visiting(async ({ page, go }) => {
        await go(`/run/${ALSO_READY}/mrp`);
        await page.getByRole('button', { name: 'Comment on src/login.ts, line 1', exact: true }).focus();
        await page.keyboard.press('ArrowDown');
        await page.keyboard.press('ArrowDown');
        await page.keyboard.press('c');
        await page.getByRole('textbox', { name: 'Comment on src/login.ts, line 3' }).waitFor(WAIT);
        await page.keyboard.press('Escape');
        await expect.poll(() => page.evaluate('document.activeElement.dataset.line'), WAIT).toBe('3');
      });
    });

    it('requires feedback or a comment when changes are requested', async () => {
      await visiting(async ({ page, go }) => {
        await go(`/run/${ALSO_READY}/mrp`);
        await page.getByRole('button', { name: 'Request changes' }).click();
        await page.getByText('Say what should change, or comment on a line.').waitFor(WAIT);
        await expect.poll(() => page.evaluate('document.activeElement.id'), WAIT).toBe('feedback');
        expect(await load(feedbackFile, site.files(ALSO_READY).feedbackOf(1))).toBeNull();
      });
    });

    it('escapes invisible characters in code, fetches no images and renders no dangerous links', async () => {
      await visiting(async ({ page, go }) => {
        await go(`/run/${ALSO_READY}/mrp`);
        await page.getByText('⟨U+202E⟩').waitFor(WAIT);
        await page.getByText('The whole pack').click();
        await page.getByText('[a beacon]').waitFor(WAIT);
        expect(await page.locator('main img, main a[href^="javascript"]').count()).toBe(0);
      });
    });

    it('keeps the decision bar in view, and has keys for approving and for requesting changes', async () => {
      await visiting(async ({ page, go }) => {
        await go(`/run/${ALSO_READY}/mrp`);
        const bar = page.locator('.decision-bar');
        await bar.getByRole('button', { name: 'Approve' }).waitFor(WAIT);
        const title = page.getByText('A dark theme', { exact: true });
        await expect.poll(() => title.count(), WAIT).toBe(1);
        await page.evaluate('scrollTo(0, document.body.scrollHeight)');
        await bar.getByText('A dark theme').waitFor(WAIT);
        // Playwright clicks only elements that are in view and not covered.
        await bar.getByRole('button', { name: 'Approve' }).click({ trial: true, ...WAIT });
        const box = (await bar.boundingBox())!;
        expect(box.y).toBeGreaterThanOrEqual(0);
        expect(box.y + box.height).toBeLessThanOrEqual(page.viewportSize()!.height);
        await page.keyboard.press('a');
        await page.getByRole('dialog').getByText('Your approval applies only to tree').waitFor(WAIT);
        await page.keyboard.press('Escape');
        await page.getByRole('dialog').waitFor({ state: 'detached', ...WAIT });
        await page.keyboard.press('r');
        await expect.poll(() => page.evaluate('document.activeElement.id'), WAIT).toBe('feedback');
      });
    });

    it('approves the tree shown on the page', async () => {
      await visiting(async ({ page, go }) => {
        await go(`/run/${ALSO_READY}/mrp`);
        await page.getByRole('button', { name: 'Approve' }).click();
        await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
        await page.waitForURL(`**/run/${ALSO_READY}`, WAIT);
        expect(await load(requestFiles.approve, site.files(ALSO_READY).request('approve'))).toMatchObject({
          tree: TREE,
          how: 'merge',
        });
      });
    });

    it('shows a message when there is nothing to review', async () => {
      const visitor = await site.visitor();
      await visitor.go(`/run/${BUILDING}/mrp`);
      await visitor.page.getByText('There is no pack to review.').waitFor(WAIT);
      await visitor.context.close();
    });
  });

  describe('the history', () => {
    it('is searched, filtered, sorted and paged through its URL', async () => {
      await visiting(async ({ page, go }) => {
        await go('/history');
        await page.getByText('Page 1 of 2').waitFor(WAIT);
        await page.getByRole('button', { name: 'Next' }).click();
        await page.waitForURL('**/history?page=2', WAIT);
        await page.keyboard.press('/');
        await page.keyboard.type('faster');
        await page.waitForURL('**/history?search=faster', WAIT);
        await page.getByLabel('State').selectOption('failed');
        await page.reload();
        await page.getByLabel('Sort by').selectOption('oldest');
        await page.waitForURL(/search=faster&phase=failed&sort=oldest/, WAIT);
        await page.getByRole('status').getByText('2 runs').waitFor(WAIT);
        // The rows in the old order stay until the new ones have arrived.
        const titles = () => page.locator('.history-title').allTextContents();
        await expect.poll(titles, WAIT).toEqual(['Faster start 8', 'Faster start 28']);
      });
    });

    it('shows a message when no run matches', async () => {
      await visiting(async ({ page, go }) => {
        await go('/history?search=there-is-no-such-run');
        await page.getByText('No matching runs.').waitFor(WAIT);
        await page.getByRole('button', { name: 'Clear' }).click();
        await page.getByText('Page 1 of 2').waitFor(WAIT);
      });
    });
  });

  describe('the settings', () => {
    const written = async (name: string) => JSON.parse(await readFile(site.project.configOf(name), 'utf8'));

    it('show an error at the invalid field and write nothing', async () => {
      const before = await written('global');
      const visitor = await site.visitor();
      await visitor.go('/settings');
      const field = visitor.page.getByLabel('Maximum iterations');
      await field.fill('500');
      await visitor.page.getByRole('button', { name: 'Save' }).click();
      await visitor.page.getByText('1 problem.').waitFor(WAIT);
      expect(await field.getAttribute('aria-invalid')).toBe('true');
      const focused = () => visitor.page.evaluate('document.activeElement.id');
      await expect.poll(focused, WAIT).toBe('global.max_iterations');
      expect(await visitor.page.locator('[id="global.max_iterations-about"] .bad').textContent()).toMatch(
        /50/,
      );
      expect(await written('global')).toEqual(before);
      await visitor.context.close();
    });

    it('write only the changed keys', async () => {
      const before = await written('builder');
      await visiting(async ({ page, go }) => {
        await go('/settings?file=builder');
        await page.getByLabel('Libraries to prefer').fill('zod\nexpress\n');
        await page.getByRole('button', { name: 'Save' }).click();
        await toasted(page, 'Saved.');
      });
      expect(await written('builder')).toEqual({
        ...before,
        style: { ...before.style, prefer_libraries: ['zod', 'express'] },
      });
    });

    it('show and accept durations such as 5 min', async () => {
      await visiting(async ({ page, go }) => {
        await go('/settings');
        const builder = page.getByLabel('Builder', { exact: true });
        expect(await builder.inputValue()).toBe('600000');
        await page.getByText('600000 ms = 10 min. Default: 10 min').waitFor(WAIT);
        await builder.fill('1 h 30 min');
        await page.getByText('5400000 ms = 1 h 30 min. Default: 10 min').waitFor(WAIT);
        await page.getByRole('button', { name: 'Save' }).click();
        await toasted(page, 'Saved.');
      });
      expect((await written('global')).timeouts.builder).toBe(5_400_000);
    });

    it('offer the registered backends and keep an unregistered value', async () => {
      await replaceJson(site.project.configOf('builder'), {
        ...(await written('builder')),
        backend: 'of-a-plugin-that-went',
      });
      await visiting(async ({ page, go }) => {
        await go('/settings?file=builder');
        const backend = page.getByLabel('Backend');
        await expect
          .poll(() => backend.locator('option').allTextContents(), WAIT)
          .toEqual(['same as the project', ...BACKENDS, 'of-a-plugin-that-went']);
        expect(await backend.inputValue()).toBe('of-a-plugin-that-went');
        await backend.selectOption('');
        await page.getByRole('button', { name: 'Save' }).click();
        await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
        await toasted(page, 'Saved.');
        expect(await written('builder')).not.toHaveProperty('backend');
        await go('/run/new');
        await page.getByLabel('Backend').selectOption('sample');
      });
    });

    it('ask for confirmation before saving a command that Dure will execute', async () => {
      await visiting(async ({ page, go }) => {
        await go('/settings');
        await page.getByLabel('Set-up command').fill('npm ci');
        await page.getByRole('button', { name: 'Save' }).click();
        const dialog = page.getByRole('dialog');
        await dialog.getByText('workspace.setup').waitFor(WAIT);
        expect((await written('global')).workspace.setup).toBeNull();
        await dialog.getByRole('button', { name: 'Save' }).click();
        await toasted(page, 'Saved.');
        expect((await written('global')).workspace.setup).toBe('npm ci');
      });
    });
  });

  describe('the frame', () => {
    it('can be used by keyboard: skip link, page shortcuts and help', async () => {
      await visiting(async ({ page, go }) => {
        await go('/');
        await page.keyboard.press('Tab');
        const focused = (key: 'id' | 'className') => () => page.evaluate(`document.activeElement.${key}`);
        await expect.poll(focused('className'), WAIT).toBe('skip');
        await page.keyboard.press('Enter');
        await expect.poll(focused('id'), WAIT).toBe('content');
        await page.keyboard.press('?');
        await page.getByRole('dialog', { name: 'Keyboard' }).waitFor(WAIT);
        await page.keyboard.press('Escape');
        await page.getByRole('dialog').waitFor({ state: 'detached', ...WAIT });
        await expect.poll(focused('id'), WAIT).toBe('content');
        await page.locator('.card-title').first().waitFor(WAIT);
        await page.keyboard.press('j');
        await expect.poll(focused('className'), WAIT).toBe('card-title');
        await page.keyboard.press('g');
        await page.keyboard.press('h');
        await page.getByRole('heading', { level: 1, name: 'History' }).waitFor(WAIT);
        await expect.poll(focused('id'), WAIT).toBe('content');
      });
    });

    it('shows a visible focus indicator on every element that Tab reaches', async () => {
      await visiting(async ({ page, go }) => {
        await go('/settings');
        await page.getByLabel('Maximum iterations').waitFor(WAIT);
        for (let step = 0; step < 25; step += 1) {
          await page.keyboard.press('Tab');
          const seen = await page.evaluate(
            `(() => { const s = getComputedStyle(document.activeElement); return s.outlineStyle !== 'none' && parseFloat(s.outlineWidth) >= 2; })()`,
          );
          expect(seen, `step ${step}`).toBe(true);
        }
      });
    });

    it("uses the browser's language unless another one is chosen", async () => {
      await visiting(
        async ({ page }) => {
          expect(await page.evaluate('document.documentElement.lang')).toBe('ko');
          await page.getByRole('link', { name: '새 실행' }).first().waitFor(WAIT);
          await page.getByRole('button', { name: 'English' }).click();
          await page.reload();
          await page.getByRole('link', { name: 'History' }).waitFor(WAIT);
          expect(await page.evaluate('document.documentElement.lang')).toBe('en');
        },
        { locale: 'ko-KR' },
      );
    });

    it('keeps the chosen theme', async () => {
      await visiting(async ({ page }) => {
        const ground = () => page.evaluate('getComputedStyle(document.body).backgroundColor');
        const light = await ground();
        await page.getByRole('button', { name: /Theme: system/ }).click();
        await page.getByRole('button', { name: /Theme: light/ }).click();
        await page.getByRole('button', { name: /Theme: dark/ }).waitFor(WAIT);
        const dark = await ground();
        expect(dark).not.toBe(light);
        await page.reload();
        await page.getByRole('heading', { level: 1, name: 'storefront' }).waitFor(WAIT);
        expect(await ground()).toBe(dark);
      });
    });

    it('shows the number of waiting runs in the title', async () => {
      await visiting(async ({ page }) => {
        await settled(page);
        const count = await page.locator('.card.wants').count();
        await expect.poll(() => page.title(), WAIT).toBe(count > 0 ? `(${count}) Dure` : 'Dure');
      });
    });

    it('shows each desktop notification once, however many tabs are open', async () => {
      await visiting(async ({ context, page }) => {
        await context.grantPermissions(['notifications'], { origin: site.url });
        await context.addInitScript({
          content: `window.shown = []; window.Notification = class {
            static permission = 'granted';
            static requestPermission = async () => 'granted';
            constructor(title, { body }) { window.shown.push(body); }
            close() {}
          }
          window.decided = 0;
          const request = navigator.locks.request.bind(navigator.locks);
          navigator.locks.request = (name, options, work) => request(name, options, lock => {
            const done = work(lock);
            if (name.startsWith('dure.notifications')) window.decided += 1;
            return done;
          });`,
        });
        const tabs = await Promise.all([context.newPage(), context.newPage()]);
        for (const tab of tabs) {
          await tab.goto(`${site.url}/settings`);
          await tab.getByRole('heading', { level: 1 }).waitFor(WAIT);
          await settled(tab);
        }
        await page.close();
        await tabs[0]!.getByRole('button', { name: 'Desktop notifications' }).click();
        await tabs[0]!.getByText('You will be notified').waitFor(WAIT);
        const wanted = () => tabs[1]!.evaluate("localStorage.getItem('dure.notifications')");
        await expect.poll(wanted, WAIT).toBe('yes');
        await site.tell(BUILDING, {
          at: new Date().toISOString(),
          type: 'agent.timeout',
          agent: 'builder',
          step: 'build',
          launch: 3,
          action: 'warn',
          after_ms: 700_000,
        });
        const shown = () => Promise.all(tabs.map(tab => tab.evaluate('window.shown') as Promise<string[]>));
        // By then, each tab has received it and decided whether to show it.
        for (const tab of tabs) await expect.poll(() => tab.evaluate('window.decided'), WAIT).toBe(1);
        expect((await shown()).flat()).toHaveLength(1);
      });
    });

    it('shows a message for an unknown page', async () => {
      const visitor = await site.visitor();
      await visitor.page.goto(`${site.url}/run/run-20200101-000000`);
      await visitor.page.getByRole('alert').getByText('Run run-20200101-000000 not found.').waitFor(WAIT);
      await visitor.page.getByRole('link', { name: 'Go to the overview' }).click();
      await visitor.page.getByRole('heading', { level: 1, name: 'storefront' }).waitFor(WAIT);
      await visitor.context.close();
    });

    it('loads less than 280 kB of compressed JavaScript, all of it at startup', async () => {
      await visiting(async ({ context }) => {
        const page = await context.newPage();
        const scripts: Promise<Buffer>[] = [];
        page.on('response', response => {
          if (response.request().resourceType() === 'script') scripts.push(response.body());
        });
        await page.goto(`${site.url}/`);
        await page.getByRole('heading', { level: 1, name: 'storefront' }).waitFor(WAIT);
        await settled(page);
        const bytes = (await Promise.all(scripts)).reduce((sum, script) => sum + gzipSync(script).length, 0);
        expect(bytes).toBeGreaterThan(10_000);
        expect(bytes).toBeLessThan(280_000);
      });
    });
  });
});
