/**
 * Takes the README screenshots from real runs: the `dure demo` project, its server, and a browser. Writes
 * docs/images/{dashboard,run,review}.webp. Needs `cwebp` (Debian: `webp`).
 */
import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { withDemoSite } from './pictures/demo-site.mjs';

const LIMIT = 100_000;

await withDemoSite(async ({ top, dure, visit }) => {
  const start = async (briefing, ...more) => {
    const args = ['start', briefing, '--cassette', 'demo', '--launcher', 'process', '--no-browser', '--json'];
    return JSON.parse(await dure([...args, ...more], [0, 3])).run_id;
  };
  const take = async (page, name) => {
    const png = join(top, `${name}.png`);
    const to = resolve(import.meta.dirname, '../docs/images', `${name}.webp`);
    await page.mouse.move(0, 0);
    await page.screenshot({ path: png });
    execFileSync('cwebp', ['-quiet', '-z', '9', '-near_lossless', '60', png, '-o', to]);
    const { size } = statSync(to);
    console.log(`${name}.webp: ${Math.round(size / 1000)} kB`);
    if (size > LIMIT) throw new Error(`${name}.webp is larger than ${LIMIT / 1000} kB`);
  };
  const view = (colorScheme, height) => ({ colorScheme, viewport: { width: 1280, height } });

  const dropped = await start('# Links that survive a change of the title\n', '--detach');
  await dure(['stop', dropped, '--json'], [0, 5]);
  const [ready, merged] = await Promise.all(
    ['# Turn the title of a post into the last part of its address\n', '# Titles without Markdown\n'].map(
      briefing => start(briefing, '--yes'),
    ),
  );

  const review = await visit(`/run/${ready}/mrp`, view('light', 1280));
  await review.locator('.line-added').first().waitFor();
  await take(review, 'review');

  await dure(['approve', merged, '--json']);
  await start('# Titles in other scripts get a readable address\n');

  // Not awaited: this run is killed when the project is removed.
  start('# An address for posts without a title\n', '--yes').catch(() => {});
  const dashboard = await visit('/', view('light', 720));
  const title = dashboard.getByRole('link', { name: 'An address for posts without a title' });
  await title.waitFor();
  await dashboard.locator('.quick-answer button').first().waitFor();
  await take(dashboard, 'dashboard');

  const run = await visit(
    new URL(await title.getAttribute('href'), dashboard.url()).pathname,
    view('dark', 720),
  );
  await run.locator('.agent-running .line-tool').first().waitFor();
  await take(run, 'run');
});
