/**
 * Takes the README screenshots from real runs: the `dure demo` project, its server, and a browser. Writes
 * docs/images/{dashboard,run,review}.png.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { chromium } from 'playwright-core';
import { serve, stage } from './bench/support/scratch-project.mjs';

const to = name => resolve(import.meta.dirname, '../docs/images', `${name}.png`);
const LIMIT = 150_000;

const top = mkdtempSync(join(tmpdir(), 'dure-pictures-'));
const root = join(top, 'blog');
const place = stage();
const dure = (args, accepted) => place.dure([...args, '--project', root], accepted);
const start = async (briefing, ...more) => {
  const args = ['start', briefing, '--cassette', 'demo', '--launcher', 'process', '--no-browser', '--json'];
  return JSON.parse(await dure([...args, ...more], [0, 3])).run_id;
};
let server = null;
let browser = null;
try {
  await place.dure(['demo', '--keep', root, '--yes', '--json']);
  // Reverts what the demo merged, because the next runs make the same change.
  const git = (...args) => execFileSync('git', args, { cwd: root, env: place.env, encoding: 'utf8' }).trim();
  git('reset', '--quiet', '--hard', git('rev-list', '--max-parents=0', 'HEAD'));
  server = await serve({ root, env: place.env });
  const dropped = await start('# Links that survive a change of the title\n', '--yes');
  await dure(['stop', dropped, '--json'], [0, 5]);
  await start('# Titles in other scripts get a readable address\n');
  const ready = await start('# Turn the title of a post into the last part of its address\n', '--yes');

  browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox'],
  });
  const visit = async (path, colorScheme, height) => {
    const context = await browser.newContext({
      locale: 'en-GB',
      colorScheme,
      viewport: { width: 1280, height },
    });
    const page = await context.newPage();
    await page.goto(await server.wayTo(path));
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.waitForLoadState('networkidle');
    return page;
  };
  const take = async (page, name) => {
    await page.screenshot({ path: to(name) });
    const { size } = statSync(to(name));
    console.log(`${name}.png: ${Math.round(size / 1000)} kB`);
    if (size > LIMIT) throw new Error(`${name}.png is larger than ${LIMIT / 1000} kB`);
  };

  const working = start('# An address for posts without a title\n', '--detach', '--yes');
  const dashboard = await visit('/', 'light', 720);
  await working;
  await dashboard.getByRole('link', { name: 'An address for posts without a title' }).waitFor();
  await take(dashboard, 'dashboard');
  const run = await visit(`/run/${ready}`, 'dark', 720);
  await run
    .getByRole('log', { name: /Gatekeeper/ })
    .locator('p')
    .nth(2)
    .waitFor();
  await take(run, 'run');
  const review = await visit(`/run/${ready}/mrp`, 'light', 860);
  await review.getByText('MAX_LENGTH).replace').waitFor();
  await review
    .getByRole('row', { name: /MAX_LENGTH\).replace/ })
    .getByRole('button')
    .click();
  const words = 'Say in a comment why a hyphen may be left at the end.';
  await review.getByRole('textbox', { name: /^Comment on/ }).fill(words);
  await review.getByRole('button', { name: 'Add the comment' }).click();
  await review.mouse.move(0, 0);
  await review.locator('#changes').evaluate(heading => {
    heading.scrollIntoView();
    // Below the header, which stays visible.
    window.scrollBy(0, -70);
  });
  await take(review, 'review');
} finally {
  await browser?.close();
  await server?.end();
  await place.strike();
  await rm(top, { recursive: true, force: true, maxRetries: 20 });
}
