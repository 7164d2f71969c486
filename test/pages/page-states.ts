/**
 * The states in which a person may see each page. Each is checked for accessibility; pictures are optional.
 */
import { writeFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { replaceJson } from '../../src/formats/read-and-write-files.ts';
import type { Words } from '../../src/words/pages/en.ts';
import { examWith } from '../helpers/sample-exam.ts';
import { ALSO_READY, ASKING, BUILDING, READY, type Site } from './pages-server.ts';
import { BASE, COMMIT, TREE } from './sample-run.ts';

export interface PageState {
  readonly name: string;
  readonly path: string;
  /** Called before the page is opened. */
  before?(page: Page): Promise<unknown>;
  /** Brings the page into the state. `w` are the words of its language. */
  enter?(page: Page, w: Words): Promise<unknown>;
  /** Someone without a session. */
  readonly stranger?: true;
}

const button = (page: Page, name: string) => page.getByRole('button', { name }).first();
const LINES = Array.from({ length: 400 }, (_, n) => `+const value${n} = ${n};`).join('\n');
const HUGE = Array.from(
  { length: 60 },
  (_, n) =>
    `diff --git a/src/part-${n % 7}/file-${n}.ts b/src/part-${n % 7}/file-${n}.ts\nnew file mode 100644\n` +
    `index 0000000..1111111\n--- /dev/null\n+++ b/src/part-${n % 7}/file-${n}.ts\n@@ -0,0 +1,400 @@\n${LINES}\n`,
).join('');

const changedOverview = (change: (view: Record<string, unknown>) => object) => (page: Page) =>
  page.route('**/api/overview', async route => {
    const response = await route.fetch();
    const view = (await response.json()) as Record<string, unknown>;
    await route.fulfill({ response, json: { ...view, ...change(view) } });
  });

type Row = Record<string, unknown>;
const rowsOf = (view: Record<string, unknown>, list: string) => view[list] as Row[];
const manyOf = (rows: readonly Row[]): Row[] =>
  Array.from({ length: 60 }, (_, n) => ({
    ...rows[n % rows.length],
    run_id: `run-20260131-10${String(n).padStart(4, '0')}`,
  }));

export async function pageStates(site: Site): Promise<readonly PageState[]> {
  const at = new Date().toISOString();
  const [stopped, failed, completed, interrupted, closed, huge, rejected] = [
    ...[await site.add('building'), await site.add('building'), await site.add('ready')],
    ...[
      await site.add('building'),
      await site.add('asking'),
      await site.add('ready'),
      await site.add('ready'),
    ],
  ] as const;
  for (const id of [stopped, closed])
    await site.tell(id!, { at, type: 'run.stopped', reason: 'no longer needed' });
  await site.tell(failed!, { at, type: 'run.failed', reason: 'the disk is full' });
  await site.tell(completed!, {
    at,
    type: 'run.completed',
    how: 'merge',
    merged: true,
    into: 'main',
    commit: COMMIT,
    tree: '7'.repeat(40),
  });
  await site.tell(interrupted!, {
    at,
    type: 'run.interrupted',
    phase: 'build',
    reason: 'the computer was shut down',
  });
  await site.tell(
    rejected!,
    { at, type: 'mrp.rejected', feedback: 1, summary: 'Use a queue.' },
    { at, type: 'iteration.started', iteration: 2, reason: 'changes were requested' },
  );
  await writeFile(site.files(huge!).patch, HUGE);
  await site.recordPack(huge!);
  const [judging, analysing, conflicting, split, moved, examined] = [
    ...[await site.add('judging'), await site.add('analysing'), await site.add('ready')],
    ...[await site.add('ready'), await site.add('ready'), await site.add('ready')],
  ] as const;
  await site.tell(analysing!, {
    at,
    type: 'agent.failed',
    agent: 'verifier',
    step: 'analyse',
    launch: 6,
    kind: 'validation',
    message: 'test-report.md is missing',
  });
  await site.tell(
    conflicting!,
    {
      at,
      type: 'run.rebased',
      asked_at: at,
      from: BASE,
      base: COMMIT,
      onto: 'main',
      commit: COMMIT,
      tree: TREE,
      same_patch: false,
      conflicts: [{ path: 'src/login.ts', how: 'both-changed' }],
    },
    {
      at,
      type: 'iteration.started',
      iteration: 2,
      reason: 'the result conflicts with the new base in src/login.ts',
    },
  );
  await replaceJson(site.files(examined!).criteria, {
    run_id: examined!,
    base: BASE,
    tree: TREE,
    tests_tree: BASE,
    sha256: BASE,
    criteria: [],
    change: examWith([
      {
        id: 'u1',
        file: 'src/login.ts',
        lines: { first: 9, last: 9 },
        base_lines: null,
        at: 8,
        status: 'untested',
        killers: [],
      },
    ]),
  });
  await site.recordPack(examined!);

  return [
    { name: 'overview', path: '/' },
    {
      name: 'overview-empty',
      path: '/',
      before: changedOverview(() => ({ runs: 0, waiting: [], active: [], recent: [] })),
    },
    {
      name: 'overview-nothing-waits',
      path: '/',
      before: changedOverview(() => ({ waiting: [], active: [] })),
    },
    {
      name: 'overview-only-failed',
      path: '/',
      before: changedOverview(view => ({
        waiting: [],
        active: [],
        recent: rowsOf(view, 'recent').filter(({ phase }) => phase === 'failed'),
      })),
    },
    {
      name: 'overview-other-projects',
      path: '/',
      async before(page) {
        await changedOverview(view => ({ waiting: rowsOf(view, 'waiting').slice(0, 2) }))(page);
        const since = new Date(Date.parse(at) - 7_200_000).toISOString();
        const project = (name: string) => ({
          name,
          root: `/home/ann/${name}`,
          since,
          command: `dure pages --project /home/ann/${name}`,
        });
        const projects = [
          { ...project('billing'), waiting: 1, url: 'http://127.0.0.1:3874/' },
          { ...project('catalogue'), waiting: 3, url: null },
        ];
        await page.route('**/api/projects', route => route.fulfill({ json: projects }));
      },
      enter: (page, w) => page.getByRole('heading', { name: w.overview.projects }).waitFor(),
    },
    {
      name: 'overview-many',
      path: '/',
      before: changedOverview(view => ({
        runs: 2000,
        waiting: manyOf(rowsOf(view, 'waiting').filter(({ wants }) => wants === 'review')),
        active: manyOf(rowsOf(view, 'active')),
      })),
    },
    {
      name: 'overview-not-connected',
      path: '/',
      before: page => page.routeWebSocket(/./, socket => void socket.close()),
      enter: page => page.locator('.strip').waitFor(),
    },
    { name: 'new-run', path: '/run/new' },
    {
      name: 'new-run-preview',
      path: '/run/new',
      async enter(page, w) {
        await page.getByRole('textbox', { name: w.run.briefing }).fill('# Sort\n\n- [ ] by name');
        await button(page, w.create.preview).click();
        await page.getByRole('heading', { name: 'Sort' }).waitFor();
      },
    },
    { name: 'run-building', path: `/run/${BUILDING}` },
    {
      name: 'run-stop-dialog',
      path: `/run/${BUILDING}`,
      enter: (page, w) => button(page, w.run.stop).click(),
    },
    { name: 'run-asking', path: `/run/${ASKING}` },
    { name: 'run-ready', path: `/run/${READY}` },
    { name: 'run-stopped', path: `/run/${stopped}` },
    { name: 'run-failed', path: `/run/${failed}` },
    { name: 'run-completed', path: `/run/${completed}` },
    { name: 'run-interrupted', path: `/run/${interrupted}` },
    { name: 'run-gate', path: `/run/${judging}` },
    { name: 'run-verify-problem', path: `/run/${analysing}` },
    { name: 'run-conflict', path: `/run/${conflicting}` },
    { name: 'question', path: `/run/${ASKING}/crp/crp-001` },
    {
      name: 'question-nothing-chosen',
      path: `/run/${ASKING}/crp/crp-001`,
      enter: (page, w) => button(page, w.question.send).click(),
    },
    { name: 'question-answered', path: `/run/${READY}/crp/crp-001` },
    { name: 'question-closed', path: `/run/${closed}/crp/crp-001` },
    { name: 'review', path: `/run/${ALSO_READY}/mrp` },
    {
      name: 'review-comment',
      path: `/run/${ALSO_READY}/mrp`,
      async enter(page, w) {
        await page
          .getByRole('button', {
            name: w.review.commentOn('src/login.ts', w.review.lines(9, 9, 'new')),
            exact: true,
          })
          .click();
      },
    },
    {
      name: 'review-approve-dialog',
      path: `/run/${ALSO_READY}/mrp`,
      enter: (page, w) =>
        page.locator('.decision-bar').getByRole('button', { name: w.review.approve }).click(),
    },
    { name: 'review-second-round', path: `/run/${READY}/mrp` },
    { name: 'review-earlier-pack', path: `/run/${READY}/packs/1` },
    { name: 'review-after-decision', path: `/run/${rejected}/mrp` },
    { name: 'review-merged', path: `/run/${completed}/mrp` },
    { name: 'review-huge', path: `/run/${huge}/mrp` },
    {
      name: 'review-base-moved',
      path: `/run/${moved}/mrp`,
      async before(page) {
        await page.route('**/api/runs/*/mrp', async route => {
          const response = await route.fetch();
          await route.fulfill({ response, json: { ...(await response.json()), moved: 'main' } });
        });
        const error = { code: 'E_REBASE', message: 'Not rebased.', suggestions: ['See `dure status`.'] };
        await page.route('**/rebase', route => route.fulfill({ status: 400, json: { ok: false, error } }));
      },
      async enter(page, w) {
        await button(page, w.review.rebase).click();
        await page.locator('.decision-bar').getByRole('alert').waitFor();
      },
    },
    {
      name: 'review-undefended',
      path: `/run/${examined}/mrp`,
      async enter(page) {
        await page.locator('td.mark-undefended').first().waitFor();
        await page.keyboard.press('u');
      },
    },
    {
      name: 'review-side-by-side',
      path: `/run/${split}/mrp`,
      before: page => page.addInitScript("localStorage.setItem('dure.diff', 'split')"),
      // The other states show the unified diff.
      enter: page => page.evaluate("localStorage.removeItem('dure.diff')"),
    },
    { name: 'history', path: '/history' },
    { name: 'history-no-match', path: '/history?search=there-is-no-such-run' },
    { name: 'settings', path: '/settings' },
    {
      name: 'settings-error',
      path: '/settings',
      async enter(page, w) {
        await page.locator('[id="global.max_iterations"]').fill('500');
        await button(page, w.settings.save).click();
        await page.locator('[aria-invalid=true]').first().waitFor();
      },
    },
    {
      name: 'settings-confirm',
      path: '/settings',
      async enter(page, w) {
        await page.locator('[id="global.workspace.setup"]').fill('npm ci');
        await button(page, w.settings.save).click();
        await page.getByRole('dialog').waitFor();
      },
    },
    { name: 'sign-in', path: '/', stranger: true },
    { name: 'unknown-address', path: '/nowhere' },
    { name: 'unknown-run', path: '/run/run-20200101-000000' },
    { name: 'help', path: '/', enter: page => page.keyboard.press('?') },
    {
      name: 'palette',
      path: '/',
      async enter(page) {
        await page.keyboard.press('Control+k');
        await page.getByRole('dialog').getByRole('link').first().waitFor();
      },
    },
  ];
}
