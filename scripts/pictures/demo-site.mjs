/** Sets up the sample project of `dure demo` with its server and a browser, for the pictures in the README. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { startBrowser } from '../bench/support/browser.mjs';
import { createProject, serve } from '../bench/support/scratch-project.mjs';
import { evaluated } from '../evaluate-module.mjs';

const PATIENCE_MS = 600_000;
const cassettes = resolve(import.meta.dirname, '../../src/agents/rehearsal/cassettes');

/**
 * Calls `use` with the site, and removes everything afterwards. Runs play the recording of `dure demo`. `site.dure` runs
 * a command in the project, `site.visit` opens a page in a new browser context, and `site.top` is a scratch folder.
 */
export async function withDemoSite(use) {
  const { demoCassette, demoProject } = await evaluated(join(cassettes, 'demo.ts'));
  const top = mkdtempSync(join(tmpdir(), 'dure-pictures-'));
  const { root, env, dure, remove } = createProject({ name: 'blog', files: demoProject });
  let server = null;
  let browser = null;
  try {
    await dure(['init', '--yes', '--backend', 'rehearsal', '--json']);
    writeFileSync(join(root, '.dure/rehearsal.cassette.json'), JSON.stringify(demoCassette));
    server = await serve({ root, env });
    browser = await startBrowser();
    await use({
      top,
      browser,
      dure,
      async visit(path, view) {
        const context = await browser.newContext({ locale: 'en-GB', reducedMotion: 'reduce', ...view });
        context.setDefaultTimeout(PATIENCE_MS);
        // Hides the projects of the person who takes the pictures.
        await context.route('**/api/projects', route => route.fulfill({ json: [] }));
        const page = await context.newPage();
        await page.goto(await server.linkTo(path));
        await page.getByRole('heading', { level: 1 }).waitFor();
        await page.waitForLoadState('networkidle');
        return page;
      },
    });
  } finally {
    await browser?.close();
    await server?.end();
    await remove();
    await rm(top, { recursive: true, force: true, maxRetries: 20 });
  }
}
