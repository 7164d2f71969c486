/**
 * Every state of every page: without accessibility violations, within the screen, light and dark, wide and narrow, in
 * English and Korean. `npm run screenshots` also takes a picture of each.
 */
import { mkdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { en, type Words } from '../../src/words/pages/en.ts';
import { ko } from '../../src/words/pages/ko.ts';
import { type PageState, pageStates } from './page-states.ts';
import { cannotRun, complaintsOf, openSite, type Site } from './pages-server.ts';
import { addSecondRound } from './run-after-feedback.ts';

/** The folder for pictures (optional). */
const PICTURES = process.env['DURE_PICTURES'];
/** Only the states whose names match (optional). */
const STATES = new RegExp(process.env['DURE_STATES'] ?? '');
const WIDE = { width: 1280, height: 900 };
const NARROW = { width: 360, height: 780 };
/** Every combination of two of language, width and colour scheme occurs. */
const LOOKS = [
  {
    locale: 'en-GB',
    w: en,
    views: [
      { name: 'wide-light-en', size: WIDE, colorScheme: 'light' },
      { name: 'narrow-dark-en', size: NARROW, colorScheme: 'dark' },
    ],
  },
  {
    locale: 'ko-KR',
    w: ko as Words,
    views: [
      { name: 'wide-dark-ko', size: WIDE, colorScheme: 'dark' },
      { name: 'narrow-light-ko', size: NARROW, colorScheme: 'light' },
    ],
  },
] as const;
/** Expected where the address is unknown, a setting is wrong or the connection is cut. */
const EXPECTED = /404|400|WebSocket/;

if (cannotRun) console.warn(`The states of the pages are not tested: ${cannotRun}.`);

describe.skipIf(cannotRun)('every state of a page', () => {
  let site: Site;
  let axe: string;
  let states: readonly PageState[];
  beforeAll(async () => {
    axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
    site = await openSite();
    await addSecondRound(site);
    states = (await pageStates(site)).filter(({ name }) => STATES.test(name));
    expect(states).not.toEqual([]);
    if (PICTURES) await mkdir(PICTURES, { recursive: true });
  });
  afterAll(() => site?.close());

  const settled = async (page: Page) => {
    await page.locator('main h1, main strong').first().waitFor();
    await page.waitForLoadState('networkidle');
    await page.locator('.bones').first().waitFor({ state: 'detached' });
  };
  const enter = async (page: Page, state: PageState, w: Words) => {
    await state.before?.(page);
    await page.goto(site.url + state.path);
    await settled(page);
    await state.enter?.(page, w);
  };
  const faultsOf = async (page: Page): Promise<string[]> => {
    await page.evaluate(axe);
    const faults = (await page.evaluate(
      `axe.run({ resultTypes: ['violations'] }).then(({ violations }) => violations
         .map(v => v.id + ': ' + v.nodes.map(n => n.html.slice(0, 200)).slice(0, 3).join(' | ')))`,
    )) as string[];
    const wider = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
    return Number(wider) > 0 ? [...faults, `${wider} pixels wider than the screen`] : faults;
  };

  it.each(LOOKS)(
    'has no accessibility violations and fits the screen: $locale',
    { timeout: 3_600_000 },
    async ({ locale, w, views }) => {
      const visitor = await site.visitor({ locale });
      const stranger = await site.stranger(locale);
      const found: Record<string, string[]> = {};
      for (const state of states) {
        const page = await (state.stranger ? stranger : visitor.context).newPage();
        const complaints = complaintsOf(page);
        try {
          await enter(page, state, w);
        } catch (error) {
          complaints.push(String(error));
        }
        for (const { name, size, colorScheme } of views) {
          await page.setViewportSize(size);
          await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
          // The page reacts to another width in the next frame, and shows what is near in the one after it.
          await page.evaluate(
            'new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done())))',
          );
          if (PICTURES) await page.screenshot({ path: join(PICTURES, `${state.name}-${name}.png`) });
          const faults = await faultsOf(page);
          if (faults.length > 0) found[`${state.name} ${name}`] = faults;
        }
        const errors = complaints.filter(said => !EXPECTED.test(said));
        if (errors.length > 0) found[state.name] = errors;
        await page.close();
      }
      expect(found).toEqual({});
      await Promise.all([visitor.context.close(), stranger.close()]);
    },
  );
});
