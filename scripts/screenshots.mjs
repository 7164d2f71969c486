/**
 * The pictures of the README, taken of real runs: the project of `dure demo`, its server, and a browser. Writes
 * docs/images/{dashboard,run,review}.png.
 */
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { chromium } from 'playwright-core';
import { eventually, stage } from './bench/stage.mjs';

const program = resolve(import.meta.dirname, '../bin/run.js');
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
  // The next runs have to do the same again, so what the demo merged is taken back.
  const git = (...args) => execFileSync('git', args, { cwd: root, env: place.env, encoding: 'utf8' }).trim();
  git('reset', '--quiet', '--hard', git('rev-list', '--max-parents=0', 'HEAD'));
  server = spawn(process.execPath, [program, 'serve', '--no-browser', '--port', '0', '--project', root], {
    cwd: root,
    env: place.env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  server.stdout.setEncoding('utf8').on('data', text => {
    said += text;
  });
  const entry = await eventually('the pages', () => /^Pages: (\S+)/m.exec(said)?.[1]);
  const dropped = await start('# Links that survive a change of the title\n', '--yes');
  await dure(['stop', dropped, '--json'], [0, 5]);
  await start('# Titles in other scripts get a readable address\n');
  const ready = await start('# Turn the title of a post into the last part of its address\n', '--yes');

  browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox'],
  });
  const visit = async (path, colorScheme, height) => {
    const { code } = await newCode(root);
    const context = await browser.newContext({
      locale: 'en-GB',
      colorScheme,
      viewport: { width: 1280, height },
    });
    const page = await context.newPage();
    await page.goto(`${new URL(entry).origin}${path}#code=${code}`);
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
  const line = review.getByRole('button', { name: /^Comment on src\/slugify\.js, line 12$/ });
  await line.click();
  await review
    .getByRole('textbox', { name: /line 12/ })
    .fill('Say why the cut comes before the last hyphen is taken off.');
  await review.getByRole('button', { name: 'Add the comment' }).click();
  await review.locator('#changes').evaluate(heading => heading.scrollIntoView());
  await take(review, 'review');
} finally {
  await browser?.close();
  if (server) {
    const gone = new Promise(done => server.once('exit', done));
    server.kill('SIGTERM');
    await gone;
  }
  await place.strike();
  await rm(top, { recursive: true, force: true, maxRetries: 20 });
}

async function newCode(project) {
  const { url, token } = JSON.parse(readFileSync(join(project, '.dure/server/server.json'), 'utf8'));
  const answer = await fetch(`${url}/api/session/code`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: '{}',
  });
  return answer.json();
}
