/**
 * Two people with the same project open, each in a browser: what one types is never lost because of what the other
 * does, and each sees what the other did.
 */
import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  cannotRun,
  openSite,
  READY,
  type RunKind,
  type Site,
  toasted,
  type Visitor,
} from './pages-server.ts';

const WAIT = { timeout: 120_000 };
const WHO = 'Bea <bea@example.org>';

if (cannotRun) console.warn(`Two browsers are not tested: ${cannotRun}.`);

/** A draft that A has typed on a page, and how it looks after B has acted. */
interface Draft {
  readonly path: (id: string) => string;
  type(page: Page): Promise<void>;
  /** The draft is still where it was typed, because nothing else happened to the run. */
  stays(page: Page): Promise<void>;
}

const lost = (page: Page) => page.getByRole('region', { name: /was not sent/ });
const box = (page: Page, name: string) => page.getByRole('textbox', { name });
const kept = (page: Page, name: string, text: string) =>
  expect.poll(() => box(page, name).inputValue(), WAIT).toBe(text);
const COMMENT = 'Comment on src/login.ts, line 9';

const ANSWER: Draft = {
  path: id => `/run/${id}/crp/crp-001`,
  async type(page) {
    await page.getByRole('radio', { name: /For each address/ }).check();
    await box(page, 'Rationale').fill('Half an answer');
  },
  async stays(page) {
    await kept(page, 'Rationale', 'Half an answer');
    expect(await page.getByRole('radio', { name: /For each address/ }).isChecked()).toBe(true);
  },
};
const REVIEW: Draft = {
  path: id => `/run/${id}/mrp`,
  async type(page) {
    await page.getByRole('button', { name: 'Comment on src/login.ts, line 7', exact: true }).click();
    await box(page, 'Comment on src/login.ts, line 7').fill('A comment');
    await page.getByRole('button', { name: 'Add comment' }).click();
    await page.getByRole('button', { name: COMMENT, exact: true }).click();
    await box(page, COMMENT).fill('Half a comment');
    await page.getByLabel('What should change?').fill('Half a sentence');
  },
  async stays(page) {
    await kept(page, COMMENT, 'Half a comment');
    await page.locator('.remark').getByText('A comment', { exact: true }).waitFor(WAIT);
    expect(await page.getByLabel('What should change?').inputValue()).toBe('Half a sentence');
  },
};
const NOTHING: Draft = { path: id => `/run/${id}`, type: async () => {}, stays: async () => {} };
const BRIEFING: Draft = {
  path: () => '/run/new',
  type: page => box(page, 'Briefing').fill('Half a briefing'),
  stays: page => kept(page, 'Briefing', 'Half a briefing'),
};
const ITERATIONS = 'Maximum iterations';
const SETTINGS: Draft = {
  path: () => '/settings',
  type: page => page.getByLabel(ITERATIONS).fill('7'),
  async stays(page) {
    expect(await page.getByLabel(ITERATIONS).inputValue()).toBe('7');
  },
};

const unsentAnswer = (page: Page) => lost(page).getByText('Half an answer').waitFor(WAIT);
const unsentReview = async (page: Page) => {
  for (const text of ['A comment', 'Half a comment', 'Half a sentence'])
    await lost(page).getByText(text).waitFor(WAIT);
};
const decided = (what: string) => async (page: Page) => {
  await page.locator('p', { hasText: what }).filter({ hasText: WHO }).first().waitFor(WAIT);
};
const noticed = (what: string) => async (page: Page) => {
  const how = `${WHO} (on a page)`;
  const notices = page.getByRole('status').getByRole('listitem');
  await notices.filter({ hasText: how }).filter({ hasText: what }).waitFor(WAIT);
  await page.locator('.event', { hasText: what }).filter({ hasText: how }).first().waitFor(WAIT);
};
/** Delays what each page sends about the run until all have sent something, so that no page knows of the others. */
async function holdDecisions(pages: readonly Page[], id: string): Promise<void> {
  let waiting = pages.length;
  let release = () => {};
  const released = new Promise<void>(resolve => (release = resolve));
  for (const page of pages)
    await page.route(`**/api/runs/${id}/**`, async route => {
      if (route.request().method() !== 'POST') return route.continue();
      waiting -= 1;
      if (waiting === 0) release();
      await released;
      return route.continue();
    });
}
const stop = async (page: Page) => {
  await page.getByRole('button', { name: 'Stop the run' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Stop the run' }).click();
};

interface Case {
  /** What B does, on which page. */
  readonly action: string;
  readonly kind: RunKind;
  readonly at: (id: string) => string;
  act(page: Page): Promise<void>;
  /** What A has open about the same run, and what A sees there afterwards. */
  readonly draft: Draft;
  readonly seen: readonly ((page: Page) => Promise<void>)[];
}
const onRun = (id: string) => `/run/${id}`;

const CASES: readonly Case[] = [
  {
    action: 'answers',
    kind: 'asking',
    at: onRun,
    draft: ANSWER,
    act: page => page.getByRole('button', { name: 'For each account' }).click(),
    seen: [unsentAnswer, decided('vcr-001')],
  },
  {
    action: 'stops a run that asks',
    kind: 'asking',
    at: onRun,
    draft: ANSWER,
    act: stop,
    seen: [unsentAnswer, decided('Stopped')],
  },
  {
    action: 'approves',
    kind: 'ready',
    at: REVIEW.path,
    draft: REVIEW,
    async act(page) {
      await page.getByRole('button', { name: 'Approve' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
    },
    seen: [unsentReview, decided('merged into main')],
  },
  {
    action: 'requests changes',
    kind: 'ready',
    at: REVIEW.path,
    draft: REVIEW,
    async act(page) {
      await page.getByLabel('What should change?').fill('Use a queue.');
      await page.getByRole('button', { name: /Request changes/ }).click();
    },
    seen: [unsentReview, decided('Use a queue.')],
  },
  {
    action: 'rebases',
    kind: 'ready',
    at: REVIEW.path,
    draft: REVIEW,
    act: page => page.getByRole('button', { name: 'Rebase' }).click(),
    seen: [unsentReview, decided('Rebased')],
  },
  {
    action: 'drafts a comment',
    kind: 'ready',
    at: REVIEW.path,
    draft: REVIEW,
    async act(page) {
      await page.getByRole('button', { name: COMMENT, exact: true }).click();
      await box(page, COMMENT).fill('Of the other');
      await page.getByRole('button', { name: 'Add comment' }).click();
    },
    seen: [REVIEW.stays],
  },
  {
    action: 'stops a run that is ready',
    kind: 'ready',
    at: onRun,
    draft: REVIEW,
    act: stop,
    seen: [unsentReview, decided('Stopped')],
  },
  {
    action: 'extends',
    kind: 'building',
    at: onRun,
    draft: NOTHING,
    act: page => page.getByRole('button', { name: 'Extend by 10 minutes' }).click(),
    seen: [noticed('time limit extended by 10 min')],
  },
  {
    action: 'retries',
    kind: 'building',
    at: onRun,
    draft: NOTHING,
    act: page => page.getByRole('button', { name: 'Restart the agent' }).click(),
    seen: [noticed('restarted on request')],
  },
  {
    action: 'stops a run in progress',
    kind: 'building',
    at: onRun,
    draft: NOTHING,
    act: stop,
    seen: [noticed('Stopped')],
  },
  {
    action: 'starts a run',
    kind: 'building',
    at: BRIEFING.path,
    draft: BRIEFING,
    async act(page) {
      await box(page, 'Briefing').fill('Of the other');
      await page.getByRole('button', { name: 'Start the run' }).click();
      await page.waitForURL('**/run/run-20261121-160000', WAIT);
    },
    seen: [BRIEFING.stays],
  },
  {
    action: 'changes settings',
    kind: 'building',
    at: SETTINGS.path,
    draft: SETTINGS,
    async act(page) {
      await page.getByLabel('Questions per phase').fill('4');
      await page.getByRole('button', { name: 'Save' }).click();
    },
    seen: [SETTINGS.stays],
  },
];

describe.skipIf(cannotRun)('with two browsers', () => {
  let site: Site;
  let ann: Visitor;
  let bea: Visitor;
  /** A page of A for each case, opened before B does anything: each draft sees all actions. */
  const opened = new Map<Case, { id: string; page: Page }>();
  const open = async ({ context }: Visitor, path: string) => {
    const page = await context.newPage();
    await page.goto(site.url + path);
    await page.getByRole('heading', { level: 1 }).waitFor(WAIT);
    return page;
  };

  beforeAll(async () => {
    site = await openSite();
    const git = (...args: string[]) =>
      execFileSync('git', args, { cwd: site.project.root, encoding: 'utf8' }).trim();
    git('init', '--quiet', '--initial-branch=main');
    git('config', 'user.name', 'Bea');
    git('config', 'user.email', 'bea@example.org');
    git('commit', '--quiet', '--allow-empty', '--message=base');
    const base = git('rev-parse', 'HEAD');
    git('add', '--all', '--force', '.dure/config');
    git('commit', '--quiet', '--message=moved');
    [ann, bea] = [await site.visitor(), await site.visitor()];
    for (const one of CASES) {
      const id = await site.add(one.kind, base);
      const page = await open(ann, one.draft.path(id));
      await one.draft.type(page);
      opened.set(one, { id, page });
    }
  });
  afterAll(() => site?.close());

  it.each(CASES)('when B $action, A keeps what was typed and sees what B did', async one => {
    const { id, page } = opened.get(one)!;
    await bea.go(one.at(id));
    await one.act(bea.page);
    for (const check of one.seen) await check(page);
    expect(await bea.page.getByRole('button', { name: 'Dismiss' }).count()).toBe(0);
  });

  it('actions in other runs never discard a draft', async () => {
    const left = [...opened].filter(([{ seen, draft }]) => seen.includes(draft.stays));
    expect(left).toHaveLength(3);
    for (const [{ draft }, { page }] of left) await draft.stays(page);
    const { page } = left.at(-1)![1];
    await page.getByRole('button', { name: 'Save' }).click();
    await toasted(page, 'Saved.');
    const written = JSON.parse(await readFile(site.project.configOf('global'), 'utf8'));
    expect(written).toMatchObject({ max_iterations: 7, max_consultations: 4 });
  });

  it('if an approval and a change request collide, one takes effect and the losing page shows why', async () => {
    const id = await site.add('ready');
    const [approving, rejecting] = [await open(ann, REVIEW.path(id)), await open(bea, REVIEW.path(id))];
    await rejecting.getByLabel('What should change?').fill('Use a queue.');
    await approving.getByRole('button', { name: 'Approve' }).click();
    await holdDecisions([approving, rejecting], id);
    await Promise.all([
      approving.getByRole('dialog').getByRole('button', { name: 'Approve' }).click(),
      rejecting.getByRole('button', { name: /Request changes/ }).click(),
    ]);
    const kinds = ['run.completed', 'mrp.rejected'];
    await expect.poll(async () => (await site.events(id)).filter(e => kinds.includes(e.type)).length).toBe(1);
    const [won] = (await site.events(id)).filter(e => kinds.includes(e.type));
    const [winner, loser, what] =
      won!.type === 'run.completed'
        ? [approving, rejecting, 'merged into main']
        : [rejecting, approving, 'Use a queue.'];
    await winner.waitForURL(`**/run/${id}`, WAIT);
    await decided(what)(loser);
    if (loser === rejecting) await lost(loser).getByText('Use a queue.').waitFor(WAIT);
    expect(loser.url()).toContain(REVIEW.path(id));
  });

  it('an open approval dialog closes when the result is approved in the other browser', async () => {
    const id = await site.add('ready');
    const [asking, merging] = [await open(ann, REVIEW.path(id)), await open(bea, REVIEW.path(id))];
    for (const page of [asking, merging]) await page.getByRole('button', { name: 'Approve' }).click();
    await merging.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
    await decided('merged into main')(asking);
    await asking.getByRole('dialog').waitFor({ state: 'detached', ...WAIT });
    expect(asking.url()).toContain(REVIEW.path(id));
  });

  it('if two answers to a question collide, one takes effect and the losing page shows why', async () => {
    const id = await site.add('asking');
    const pages = [await open(ann, ANSWER.path(id)), await open(bea, ANSWER.path(id))];
    for (const [n, page] of pages.entries()) {
      await page.getByRole('radio').nth(n).check();
      await box(page, 'Rationale').fill(`Reason ${n}`);
    }
    await holdDecisions(pages, id);
    await Promise.all(pages.map(page => page.getByRole('button', { name: 'Decide' }).click()));
    const answers = async () => (await site.events(id)).filter(e => e.type === 'vcr.created').slice(-1);
    await expect.poll(async () => (await answers()).length).toBe(1);
    const [answer] = await answers();
    const won = answer!.type === 'vcr.created' && answer!.rationale === 'Reason 0' ? 0 : 1;
    await pages[won]!.waitForURL(`**/run/${id}`, WAIT);
    await lost(pages[1 - won]!)
      .getByText(`Reason ${1 - won}`)
      .waitFor(WAIT);
    await decided('vcr-001')(pages[1 - won]!);
    await pages[1 - won]!.getByText(`Reason ${won}`).first().waitFor(WAIT);
  });

  it("your own decision is never shown as someone else's", async () => {
    const { page, complaints, context, go } = await site.visitor();
    const heard = new Promise<void>(resolve => {
      page.on('websocket', socket =>
        socket.on('framereceived', ({ payload }) => {
          if (String(payload).includes('iteration.started')) resolve();
        }),
      );
    });
    await page.route('**/reject', async route => {
      const response = await route.fetch();
      await heard;
      await route.fulfill({ response });
    });
    await go(`/run/${READY}/mrp`);
    await page.getByLabel('What should change?').fill('Half a sentence');
    const fetched: string[] = [];
    page.on('request', request => void fetched.push(new URL(request.url()).pathname));
    await page.getByRole('button', { name: 'Request changes' }).click();
    await page.waitForURL(`**/run/${READY}`, WAIT);
    await page.waitForLoadState('networkidle');
    // Until the decision, the page may still be refetching what it had read before it was connected.
    const decided = fetched.indexOf(`/api/runs/${READY}/reject`);
    expect(decided).toBeGreaterThanOrEqual(0);
    expect(fetched.slice(decided)).not.toContain(`/api/runs/${READY}/mrp`);
    expect(complaints).toEqual([]);
    await context.close();
  });
});
