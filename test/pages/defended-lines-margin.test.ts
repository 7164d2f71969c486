/** The margin of the diff, which shows the lines that tests defend, in a real browser. */

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestOutcomes } from '../../src/formats/exam/criteria-report.ts';
import type { ExamUnit, UnitStatus } from '../../src/formats/exam/exam-units-and-faults.ts';
import { load, replaceJson } from '../../src/formats/read-and-write-files.ts';
import { feedbackFile } from '../../src/formats/requests-and-feedback.ts';
import { judgedCriterion } from '../helpers/sample-criteria.ts';
import { examWith } from '../helpers/sample-exam.ts';
import { ALSO_READY, cannotRun, openSite, READY, type Site, type Visitor } from './pages-server.ts';
import { BASE, TREE } from './sample-run.ts';

const WAIT = { timeout: 120_000 };
/** The folder for screenshots. If it is not set, none are taken. */
const PICTURES = process.env['DURE_PICTURES'];
const REFUSES = 'limit.test.ts > the sixth attempt is refused';

const unit = (
  id: string,
  file: string,
  status: UnitStatus,
  [first, last]: readonly [number, number],
  more: Partial<ExamUnit> = {},
): ExamUnit => ({
  id,
  file,
  lines: { first, last },
  base_lines: null,
  at: first - 1,
  status,
  killers: status === 'proven' ? [{ test: REFUSES, failure: 'assert' as const }] : [],
  ...more,
});
const LIMIT = 'src/rate-limit.ts';
const LOGIN = 'src/login.ts';
const CHANGE = examWith(
  [
    unit('u1', LIMIT, 'types-only', [1, 5], { moved: true }),
    unit('u2', LIMIT, 'proven', [7, 11]),
    unit('u3', LIMIT, 'untested', [13, 13]),
    unit('u4', LOGIN, 'proven', [6, 8]),
    unit('u5', LOGIN, 'untested', [9, 9]),
    unit('u6', LOGIN, 'reached', [11, 11]),
    unit('u7', LOGIN, 'untested', [3, 3], { lines: null, base_lines: { first: 3, last: 3 } }),
  ],
  [
    {
      id: 'm1',
      unit: 'u2',
      file: LIMIT,
      line: 9,
      change: '`<` → `<=`',
      killed: false,
      killers: [],
    },
  ],
);

const TESTED: Pick<TestOutcomes, 'head' | 'ghost' | 'placebo'> = {
  head: ['pass'],
  ghost: 'assert',
  placebo: 'pass',
};

if (cannotRun) console.warn(`The margin is not tested: ${cannotRun}.`);

describe.skipIf(cannotRun)('the review page', () => {
  let site: Site;
  let axe: string;
  beforeAll(async () => {
    axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
    site = await openSite();
    for (const run_id of [READY, ALSO_READY]) {
      await replaceJson(site.files(run_id).criteria, {
        run_id,
        base: BASE,
        tree: TREE,
        tests_tree: BASE,
        sha256: BASE,
        change: CHANGE,
        criteria: [
          judgedCriterion({
            id: 'AC-1',
            kind: 'behaviour',
            text: 'The sixth `login` within a minute is refused',
            status: 'passes',
            reason: null,
          }),
          judgedCriterion({
            id: 'AC-2',
            kind: 'behaviour',
            text: 'The next minute it is accepted',
            status: 'confirmed',
            reason: null,
            tests: [
              { ...TESTED, id: 'accepts', base: ['assert'], killed_by: ['u1'] },
              { ...TESTED, id: 'exists', base: ['pass'], killed_by: [], proves: false },
            ],
            test_counts: { total: 62, passed: 62, proving: 1 },
          }),
        ],
      });
      await site.recordPack(run_id);
    }
  });
  afterAll(() => site?.close());

  const reviewing = async (
    look: (visitor: Visitor) => Promise<void>,
    { id = ALSO_READY, ...more }: { id?: string } & Parameters<Site['visitor']>[0] = {},
  ) => {
    const visitor = await site.visitor(more);
    try {
      await visitor.go(`/run/${id}/mrp`);
      await visitor.page.locator('td.mark-defended').first().waitFor(WAIT);
      await look(visitor);
      expect(visitor.complaints).toEqual([]);
    } finally {
      await visitor.context.close();
    }
  };
  const file = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
  const margin = async (page: Page, name: string) =>
    (await file(page, name).locator('td.mark').allInnerTexts()).map(text => text.trim());

  it('shows code in a criterion as code', async () => {
    await reviewing(async ({ page }) => {
      const criteria = page.getByRole('region', { name: 'Acceptance criteria' });
      await criteria.locator('code').getByText('login', { exact: true }).waitFor(WAIT);
    });
  });

  it('shows which tests of a confirmed criterion prove it', async () => {
    await reviewing(async ({ page }) => {
      const criteria = page.getByRole('region', { name: 'Acceptance criteria' });
      await criteria.getByText('proven by 1 of 62 tests').click();
      const lists = criteria.locator('details ul');
      await expect
        .poll(() => lists.allInnerTexts(), WAIT)
        .toEqual(['accepts', expect.stringMatching(/^exists\s+and 60 more tests$/)]);
      await criteria.getByText('These tests do not prove the criterion:').waitFor(WAIT);
    });
  });

  it('has a letter beside each examined line', async () => {
    await reviewing(async ({ page }) => {
      const limit = [...Array(5).fill('·*'), '', 'D', 'D', 'W', 'D', 'D', '', 'U', ''];
      await expect.poll(() => margin(page, LIMIT), WAIT).toEqual(limit);
      const marked = file(page, LOGIN).locator('tr', { has: page.locator('td.mark-undefended') });
      const undefended = async () =>
        (await marked.allInnerTexts()).map(text => text.replace(/\s+/g, ' ').trim());
      await expect
        .poll(undefended, WAIT)
        .toEqual([
          expect.stringContaining('export async function login(name: string, password: string) {'),
          expect.stringContaining('buckets.set(name, bucket);'),
        ]);
      await page
        .getByRole('navigation', { name: 'Changed files' })
        .getByRole('img', { name: '2 undefended, 1 weak, 3 defended' })
        .waitFor(WAIT);
      await page.getByText('5 only moved').waitFor(WAIT);
      const moved = file(page, LIMIT).getByRole('button', {
        name: 'not judged: only types; these lines only moved',
      });
      await expect.poll(() => moved.count(), WAIT).toBe(5);
    });
  });

  it('shows the tests that defend a line, by mouse or keyboard', async () => {
    await reviewing(async ({ page }) => {
      const login = file(page, LOGIN);
      const mark = login.getByRole('button', { name: /^defended: an assertion fails/ }).first();
      await mark.click();
      await login.getByText(REFUSES).waitFor(WAIT);
      await mark.click();
      await login.getByText(REFUSES).waitFor({ state: 'detached', ...WAIT });
      await page.getByRole('button', { name: `Comment on ${LIMIT}, line 8`, exact: true }).focus();
      await page.keyboard.press('ArrowLeft');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      const limit = file(page, LIMIT);
      await limit.locator('.line-tests').getByText('< → <=').waitFor(WAIT);
      await limit.locator('.line-tests').getByText(REFUSES).waitFor(WAIT);
      await page.keyboard.press('Escape');
      await limit.locator('.line-tests').waitFor({ state: 'detached', ...WAIT });
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('c');
      await page.getByRole('textbox', { name: `Comment on ${LIMIT}, line 9` }).waitFor(WAIT);
    });
  });

  it('shows only the undefended lines and their context', async () => {
    await reviewing(async ({ page }) => {
      await page.keyboard.press('u');
      await file(page, 'docs/logo.bin').waitFor({ state: 'detached', ...WAIT });
      await file(page, LIMIT)
        .getByText('export interface Bucket')
        .waitFor({ state: 'detached', ...WAIT });
      await expect.poll(() => margin(page, LIMIT), WAIT).toEqual(['D', 'D', '', 'U', '']);
      await page.keyboard.press('u');
      await file(page, LIMIT).getByText('export interface Bucket').waitFor(WAIT);
    });
  });

  it('requests changes with an editable comment on each undefended part', async () => {
    await reviewing(
      async ({ page }) => {
        const number = page.getByRole('button', { name: `Comment on ${LIMIT}, line 13`, exact: true });
        await number.click();
        await page.getByRole('textbox', { name: `Comment on ${LIMIT}, line 13` }).fill('Is this needed?');
        await page.getByRole('button', { name: 'Request tests for these 3 lines' }).click();
        await page.locator('#feedback:focus').waitFor(WAIT);
        const written = file(page, LOGIN).locator('.written', { hasText: /No test (defends|notices)/ });
        await expect.poll(() => written.count(), WAIT).toBe(2);
        await written.last().getByRole('button', { name: 'Edit' }).click();
        await page.getByRole('textbox', { name: `Comment on ${LOGIN}, line 9` }).fill('Test this.');
        await page.keyboard.press('Control+Enter');
        await page.getByRole('button', { name: /Request changes/ }).click();
        await page.waitForURL(`**/run/${READY}`, WAIT);
        const comments = (await load(feedbackFile, site.files(READY).feedbackOf(1)))?.comments;
        expect(comments).toHaveLength(3);
        expect(comments).toEqual(
          expect.arrayContaining([
            { file: LIMIT, line: 13, comment: 'Is this needed?' },
            { file: LOGIN, line: 9, comment: 'Test this.' },
            {
              file: LOGIN,
              line: 3,
              side: 'old',
              comment:
                'No test notices that these lines were removed: all tests pass if these removed lines are put back. Add a test that fails if they are present, or put them back.',
            },
          ]),
        );
      },
      { id: READY },
    );
  });

  it.each([
    { name: 'wide-light', viewport: { width: 1280, height: 900 }, colorScheme: 'light' as const },
    { name: 'wide-dark', viewport: { width: 1280, height: 900 }, colorScheme: 'dark' as const },
    {
      name: 'narrow-light',
      viewport: { width: 390, height: 844 },
      locale: 'ko-KR',
      colorScheme: 'light' as const,
    },
    { name: 'narrow-dark', viewport: { width: 360, height: 780 }, colorScheme: 'dark' as const },
  ])('has no serious accessibility violations and fits the screen: $name', async ({ name, ...look }) => {
    await reviewing(async ({ page }) => {
      for (const state of ['whole', 'explained', 'split', 'only'] as const) {
        if (state === 'explained') await file(page, LIMIT).locator('.mark-weak button').click();
        if (state === 'split' && name.startsWith('wide')) await page.getByLabel('Side by side').check();
        if (state === 'only') await page.keyboard.press('u');
        if (PICTURES)
          await page.screenshot({ path: join(PICTURES, `margin-${state}-${name}.png`), fullPage: true });
        await page.evaluate(axe);
        const faults = await page.evaluate(
          `axe.run({ resultTypes: ['violations'] }).then(({ violations }) => violations
             .filter(v => ['serious', 'critical'].includes(v.impact))
             .map(v => v.id + ': ' + v.nodes.map(n => n.html).slice(0, 3).join(' | ')))`,
        );
        expect(faults, state).toEqual([]);
        expect(
          await page.evaluate('document.documentElement.scrollWidth - innerWidth'),
          state,
        ).toBeLessThanOrEqual(0);
      }
    }, look);
  });
});
