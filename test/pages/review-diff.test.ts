/** Tests of the diff on the review page, in a real browser. */
import { rm, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { evidenceFile } from '../../src/formats/evidence.ts';
import { load, replaceJson } from '../../src/formats/read-and-write-files.ts';
import { feedbackFile } from '../../src/formats/requests-and-feedback.ts';
import { en } from '../../src/words/pages/en.ts';
import { ko } from '../../src/words/pages/ko.ts';
import { examWith } from '../helpers/sample-exam.ts';
import { ALSO_READY, cannotRun, openSite, READY, type Site, type Visitor } from './pages-server.ts';
import { BASE, PATCH, TREE } from './sample-run.ts';

const WAIT = { timeout: 120_000 };
const FILES = 100;
const LINES = 500;

if (cannotRun) console.warn(`The review is not tested: ${cannotRun}.`);

const newFile = (path: string, lines: readonly string[]) =>
  [
    `diff --git a/${path} b/${path}`,
    'new file mode 100644',
    `index 0000000..${Buffer.from(path).toString('hex').slice(-12)}`,
    '--- /dev/null',
    `+++ b/${path}`,
    `@@ -0,0 +1,${lines.length} @@`,
    ...lines.map(line => `+${line}`),
    '',
  ].join('\n');

const REINDENTED = `diff --git a/src/indent.ts b/src/indent.ts
index 5555555..6666666 100644
--- a/src/indent.ts
+++ b/src/indent.ts
@@ -1,2 +1,3 @@
-one();
-two();
+if (ready) {
+  one();
+  two();
`;

describe.skipIf(cannotRun)('the diff of a review', () => {
  let site: Site;
  beforeAll(async () => {
    site = await openSite();
  });
  afterAll(() => site?.close());

  const reviewing = async (patch: string, look: (visitor: Visitor) => Promise<void>, id = READY) => {
    await writeFile(site.files(id).patch, patch);
    await site.recordPack(id);
    const visitor = await site.visitor();
    try {
      await visitor.go(`/run/${id}/mrp`);
      await look(visitor);
      expect(visitor.complaints).toEqual([]);
    } finally {
      await visitor.context.close();
    }
  };

  it('has few DOM nodes however long it is, and every line can be reached', async () => {
    const lines = Array.from({ length: LINES }, (_, n) => `const value${n} = ${n};`);
    const paths = Array.from({ length: FILES }, (_, n) => `src/part-${n % 7}/file-${n}.ts`);
    const patch = paths.map(path => newFile(path, lines));
    const units = paths.map((file, n) => ({
      id: `u${n}`,
      file,
      lines: { first: 1, last: LINES },
      base_lines: null,
      at: 0,
      killers: [],
      status: 'untested' as const,
    }));
    await replaceJson(site.files(READY).criteria, {
      run_id: READY,
      base: BASE,
      tree: TREE,
      tests_tree: BASE,
      sha256: BASE,
      criteria: [],
      change: examWith(units),
    });
    await site.recordPack(READY);
    await reviewing(patch.join(''), async ({ page }) => {
      await page.locator('td.mark-undefended').first().waitFor(WAIT);
      const nodes = () => page.evaluate('document.querySelectorAll("*").length');
      await page.locator('.file').getByText('const value7 = 7;').first().waitFor(WAIT);
      expect(await nodes()).toBeLessThan(10_000);
      await page.getByRole('button', { name: /^file-97\.ts/ }).click();
      const last = page.getByRole('region', { name: 'src/part-6/file-97.ts' });
      await last.getByText('const value0 = 0;').waitFor(WAIT);
      const end = last.locator('tbody').last();
      await expect
        .poll(async () => {
          await end.scrollIntoViewIfNeeded();
          return last.getByText(`const value${LINES - 1} = ${LINES - 1};`).count();
        }, WAIT)
        .toBe(1);
      expect(await nodes()).toBeLessThan(10_000);
    });
    await rm(site.files(READY).criteria);
    await site.recordPack(READY);
  });

  it('says above everything else that the agents ran without a sandbox', async () => {
    const file = site.files(READY).evidence;
    const evidence = (await load(evidenceFile, file))!;
    await replaceJson(file, { ...evidence, agents_sandbox: 'none' });
    await site.recordPack(READY);
    for (const [locale, words] of [
      ['en-GB', en],
      ['ko-KR', ko],
    ] as const) {
      const { page, context, go } = await site.visitor({ locale });
      await go(`/run/${READY}/mrp`);
      await page.locator('h1 + p', { hasText: words.sandbox.agentsWithout }).waitFor(WAIT);
      await context.close();
    }
    await replaceJson(file, evidence);
    await site.recordPack(READY);
  });

  it('shows every warning of the pack before the evidence', async () => {
    const file = site.files(READY).evidence;
    const evidence = (await load(evidenceFile, file))!;
    const lint = { name: 'lint', command: 'npm run lint', status: 'red-on-base', problem: null } as const;
    await replaceJson(file, {
      ...evidence,
      files_changed: [...evidence.files_changed, 'AGENTS.md'],
      equal_names: [['Read.md', 'read.md']],
      checks: [
        {
          ...lint,
          counts: null,
          base: null,
          regressions: [],
          regression_count: 0,
          overridden: [],
          overridden_count: 0,
          flaky: [],
          duration_ms: 1,
        },
      ],
    });
    await site.recordPack(READY);
    const { page, context, go } = await site.visitor({ locale: 'en-GB' });
    await go(`/run/${READY}/mrp`);
    for (const [kind, name] of [
      ['uncompared', 'lint'],
      ['equal-names', 'Read.md, read.md'],
      ['rules', 'AGENTS.md'],
    ] as const)
      await page.getByRole('region', { name: en.review.warning[kind] }).getByText(name).waitFor(WAIT);
    await context.close();
    await replaceJson(file, evidence);
    await site.recordPack(READY);
  });

  it.each([
    ['that no checks ran', {}, ['Pass', '42 of 42 tests passed', 'no checks ran']],
    [
      'that tests were not run, and that a person accepted the result',
      {
        verdict: 'none',
        accepted_by_person: true,
        test_machine: 'not-run',
        tests: { total: 0, passed: 0, failed: 0, skipped: 0, coverage: null },
      },
      ['No verdict', '(accepted by you without proof)', 'Tests were not run'],
    ],
    [
      'that the tests could not run, although every reported test passed',
      { test_machine: 'could-not-run' },
      ['Tests could not run', '42 of 42 tests passed'],
    ],
  ])('says in the decision bar %s', async (_, changes, facts) => {
    const file = site.files(READY).evidence;
    const evidence = (await load(evidenceFile, file))!;
    await replaceJson(file, { ...evidence, ...changes });
    await site.recordPack(READY);
    const { page, context, go } = await site.visitor({ locale: 'en-GB' });
    await go(`/run/${READY}/mrp`);
    const bar = page.locator('.decision-facts');
    for (const fact of facts) await bar.getByText(fact, { exact: true }).waitFor(WAIT);
    await context.close();
    await replaceJson(file, evidence);
    await site.recordPack(READY);
  });

  it('shows the checkbox for including the tests and its label in one row, even on a phone', async () => {
    const file = site.files(READY).evidence;
    const evidence = (await load(evidenceFile, file))!;
    await replaceJson(file, { ...evidence, laid_in: ['test/login.test.ts'] });
    await site.recordPack(READY);
    const { page, context, go } = await site.visitor({ viewport: { width: 390, height: 844 } });
    await go(`/run/${READY}/mrp`);
    await page.getByRole('button', { name: 'Approve' }).click();
    const label = page.locator('label', { hasText: "with the Verifier's 1 test file" });
    const top = async (of: string) => (await label.locator(of).boundingBox())!.y;
    expect(Math.abs((await top('input')) - (await top('span')))).toBeLessThan(16);
    await context.close();
    await replaceJson(file, evidence);
    await site.recordPack(READY);
  });

  it('marks files as viewed until they change, and folds viewed and generated files', async () => {
    const lock = newFile('package-lock.json', ['{}']);
    await reviewing(PATCH + lock, async ({ page }) => {
      const login = page.getByRole('region', { name: 'src/login.ts' });
      await login.getByText('TooManyAttempts').waitFor(WAIT);
      await page.getByText('generated', { exact: true }).waitFor(WAIT);
      expect(await page.getByText('{}', { exact: true }).count()).toBe(0);
      await page.keyboard.press('j');
      await page.keyboard.press('j');
      await page.keyboard.press('v');
      await page.getByText('1 of 4 files viewed').waitFor(WAIT);
      await page.reload();
      await page.getByText('1 of 4 files viewed').waitFor(WAIT);
      expect(await login.getByRole('checkbox', { name: 'Viewed' }).isChecked()).toBe(true);
      await login.getByText('TooManyAttempts').waitFor({ state: 'detached', ...WAIT });
      await writeFile(site.files(READY).patch, (PATCH + lock).replace('3333333', '8888888'));
      await site.recordPack(READY);
      await page.reload();
      await page.getByText('0 of 4 files viewed').waitFor(WAIT);
    });
  });

  it('sends comments on ranges and on deleted lines', async () => {
    await reviewing(PATCH, async ({ page }) => {
      const number = (name: string) =>
        page.getByRole('button', { name: `Comment on src/login.ts, ${name}`, exact: true });
      await number('line 7').click();
      await page.getByRole('textbox', { name: 'Comment on src/login.ts, line 7' }).fill('Move this ');
      await number('line 9').click({ modifiers: ['Shift'] });
      await page
        .getByRole('textbox', { name: 'Comment on src/login.ts, lines 7–9' })
        .pressSequentially('into a function.');
      await page.getByRole('button', { name: 'Add comment' }).click();
      await number('deleted line 5').click();
      await page.getByRole('textbox', { name: 'Comment on src/login.ts, deleted line 5' }).fill('Why?');
      await page.reload();
      // What was typed is kept even if the comment was not added.
      await page.getByRole('textbox', { name: 'Comment on src/login.ts, deleted line 5' }).waitFor(WAIT);
      await page.locator('.remark').getByText('Move this into a function.').waitFor(WAIT);
      await page.getByRole('button', { name: /Request changes/ }).click();
      await page.waitForURL(`**/run/${READY}`, WAIT);
      expect((await load(feedbackFile, site.files(READY).feedbackOf(1)))?.comments).toEqual([
        { file: 'src/login.ts', line: 7, end_line: 9, comment: 'Move this into a function.' },
        { file: 'src/login.ts', line: 5, side: 'old', comment: 'Why?' },
      ]);
      await rm(site.files(READY).feedbackOf(1));
    });
  });

  it('lets a range be selected by keyboard', async () => {
    await reviewing(
      PATCH,
      async ({ page }) => {
        await page.getByRole('button', { name: 'Comment on src/login.ts, line 6', exact: true }).focus();
        await page.keyboard.press('Shift+ArrowDown');
        await page.keyboard.press('Shift+ArrowDown');
        await page.keyboard.press('c');
        await page.getByRole('textbox', { name: 'Comment on src/login.ts, lines 6–8' }).waitFor(WAIT);
      },
      ALSO_READY,
    );
  });

  it('marks changed words, hides whitespace changes, filters files and shows the diff side by side', async () => {
    await reviewing(
      PATCH + REINDENTED,
      async ({ page }) => {
        await page.locator('mark').getByText('WrongNameOrPassword').waitFor(WAIT);
        await page.locator('.hljs-keyword').getByText('import').first().waitFor(WAIT);
        const indented = page.getByRole('region', { name: 'src/indent.ts' });
        await indented.locator('.line-deleted').first().waitFor(WAIT);
        await page.getByRole('checkbox', { name: 'Hide whitespace' }).check();
        await indented
          .locator('.line-deleted')
          .first()
          .waitFor({ state: 'detached', ...WAIT });
        await expect.poll(() => indented.locator('.line-added').count(), WAIT).toBe(1);
        await page.getByRole('searchbox').fill('toomanyattempts');
        await indented.waitFor({ state: 'detached', ...WAIT });
        await page.getByRole('checkbox', { name: 'Side by side' }).check();
        const row = page.locator('.split tr', { hasText: 'WrongNameOrPassword' });
        await row.getByText('unknown').waitFor(WAIT);
        await page.reload();
        await row.getByText('unknown').waitFor(WAIT);
      },
      ALSO_READY,
    );
  });

  it('keeps typed text when someone else decides first, and shows that decision', async () => {
    await reviewing(
      PATCH,
      async ({ page }) => {
        await page.getByLabel('What should change?').fill('Half a sentence');
        await page.getByRole('button', { name: 'Comment on src/login.ts, line 9', exact: true }).click();
        await page.getByRole('textbox', { name: 'Comment on src/login.ts, line 9' }).fill('Half a comm');
        await site.tell(ALSO_READY, {
          at: new Date().toISOString(),
          type: 'mrp.rejected',
          feedback: 1,
          summary: 'Use a queue.',
        });
        const kept = page.getByRole('region', { name: 'Your feedback was not sent' });
        await kept.getByText('Half a sentence').waitFor(WAIT);
        await kept.getByText('Half a comm').waitFor(WAIT);
        await kept.getByText('Use a queue.').waitFor(WAIT);
        await page.reload();
        await kept.getByText('Half a comm').waitFor(WAIT);
        await kept.getByRole('button', { name: 'Discard' }).click();
        await kept.waitFor({ state: 'detached', ...WAIT });
      },
      ALSO_READY,
    );
  });
});
