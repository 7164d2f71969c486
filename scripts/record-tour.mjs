/**
 * Records a tour of the pages for the README: a run of the rehearsal backend from its briefing to the merge, in a real
 * browser. Writes docs/images/tour.webp. Needs `img2webp` (Debian: `webp`).
 */
import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { composed } from './pictures/compose-frames.mjs';
import { withDemoSite } from './pictures/demo-site.mjs';

const TO = resolve(import.meta.dirname, '../docs/images/tour.webp');
const LIMIT = 1_000_000;
const VIEWPORT = { width: 960, height: 640 };
/** Height of the header, and of the header with the decision bar below it. */
const [HEADER, BARS] = [60, 150];
const BRIEFING = `# Addresses for posts

Add \`slugify(title)\`: the address of a post, made from its title.

- lower case, words joined by single hyphens
- at most 60 characters
- treat letters like é or 東 appropriately
`;
/** While the agents work: how often a frame is taken, and how long the last frame of each step is shown. */
const [EVERY_MS, STEP_MS] = [300, 450];

const frames = [];
let caption = '';
let pointer = { x: VIEWPORT.width / 2, y: VIEWPORT.height / 2 };

async function recorded({ visit }) {
  const page = await visit('/', { viewport: VIEWPORT });
  const look = async ms => ({ png: await page.screenshot(), caption, pointer, ms });
  const frame = async ms => frames.push(await look(ms));
  /** Moves the pointer to the target and clicks. */
  const click = async target => {
    await target.scrollIntoViewIfNeeded();
    const { x, y, width, height } = await target.boundingBox();
    const [from, to] = [pointer, { x: x + width / 2, y: y + height / 2 }];
    for (const part of [0.15, 0.4, 0.7, 0.9]) {
      pointer = { x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part };
      await frame(60);
    }
    pointer = to;
    await target.hover();
    await frame(500);
    await target.click();
  };
  /** Scrolls until the target is `below` pixels below the top of the window. */
  const show = (target, below) =>
    target.evaluate((element, y) => {
      window.scrollBy(0, element.getBoundingClientRect().top - y);
    }, below);

  caption = 'Write a briefing';
  await frame(1000);
  await click(page.getByRole('link', { name: 'New run' }).first());
  const editor = page.getByRole('textbox', { name: 'Briefing' });
  for (const piece of BRIEFING.match(/.{1,9}\n*|\n+/g)) {
    await editor.pressSequentially(piece);
    await frame(70);
  }
  await frame(900);
  await click(page.getByRole('button', { name: 'Start the run' }));

  caption = 'An agent asks what only you can decide';
  const answer = page.locator('.quick-answer button.main');
  await answer.waitFor();
  await page.waitForLoadState('networkidle');
  await frame(3200);
  await click(answer);

  caption = 'Agents build, test and judge. Dure runs the tests itself';
  await answer.waitFor({ state: 'detached' });
  const review = page.locator('.note').getByRole('link', { name: 'Review' });
  await show(page.locator('.stops'), HEADER);
  const steps = new Map();
  while (!(await review.isVisible())) {
    const step = await page.locator('.way').innerText();
    steps.set(step, await look(STEP_MS));
    await Promise.race([pause(EVERY_MS), review.waitFor()]);
  }
  frames.push(...steps.values());
  caption = 'The result is ready';
  await page.waitForLoadState('networkidle');
  await frame(1000);
  await click(review);

  caption = 'Each criterion with the tests that prove it';
  const approve = page.locator('.decision-bar').getByRole('button', { name: 'Approve' });
  await approve.waitFor();
  await page.waitForLoadState('networkidle');
  await frame(3500);
  caption = 'Each changed line: do the tests notice when it breaks?';
  const file = page.locator('.file', { hasText: 'src/slugify.js' });
  await show(file, BARS);
  await file.locator('.mark-defended').first().waitFor();
  await show(file, BARS);
  await frame(3500);
  caption = 'Approve: exactly this tree is merged';
  await click(approve);
  const sure = page.getByRole('dialog').getByRole('button', { name: 'Approve' });
  await sure.waitFor();
  await frame(1500);
  await click(sure);
  await page.locator('.note').getByText('Completed: merged into').waitFor();
  await frame(3500);
}

await withDemoSite(async site => {
  await recorded(site);
  const inputs = await composed(site, frames, VIEWPORT);
  execFileSync('img2webp', ['-loop', '0', '-lossless', '-m', '6', ...inputs, '-o', TO]);
});
const { size } = statSync(TO);
const seconds = frames.reduce((sum, { ms }) => sum + ms, 0) / 1000;
console.log(`tour.webp: ${frames.length} frames, ${seconds.toFixed(1)} s, ${Math.round(size / 1000)} kB`);
if (size > LIMIT) throw new Error(`tour.webp is larger than ${LIMIT / 1000} kB`);
