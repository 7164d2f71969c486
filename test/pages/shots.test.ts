import { test } from 'vitest';
import { chromium } from 'playwright-core';
import { startBackend, READY, ASKING, BUILDING } from '/work/main/test/pages/backend.ts';
test('shots', async () => {
  const b = await startBackend();
  const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
  const only = process.env.ONLY;
  const pages: [string,string][] = [['overview','/'],['new','/run/new'],['run',`/run/${BUILDING}`],['ready',`/run/${READY}`],['crp',`/run/${ASKING}/crp/crp-001`],['mrp',`/run/${READY}/mrp`],['history','/history'],['settings','/settings']];
  for (const [w,h,scheme] of [[1280,900,'light'],[1280,900,'dark'],[390,844,'light'],[360,800,'dark']] as const) {
    const ctx = await browser.newContext({ viewport: { width: w, height: h }, colorScheme: scheme, locale: process.env.LOC ?? 'en' });
    const page = await ctx.newPage();
    page.on('console', m => { if (m.type() !== 'log') console.log(w, scheme, m.type(), m.text()); });
    page.on('pageerror', e => console.log('ERR', e.message));
    await page.goto(b.entry()); await page.waitForSelector('.card');
    for (const [name, path] of pages) {
      if (only && !only.split(',').includes(name)) continue;
      await page.goto(b.url + path); await page.waitForSelector('h1'); await page.waitForTimeout(900);
      if (name === 'new') { await page.getByRole('button', { name: /template|서식/ }).click(); }
      await page.screenshot({ path: `/tmp/shots/${name}-${w}-${scheme}.png`, fullPage: true });
      const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      if (over > 0) console.log('OVERFLOW', name, w, over);
    }
    await ctx.close();
  }
  await browser.close(); await b.close();
}, 240000);
