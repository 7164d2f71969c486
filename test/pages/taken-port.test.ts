/**
 * Another program takes the port of the server while a page is open: the page neither sends its session nor runs
 * foreign code.
 */
import { createServer, type Server } from 'node:http';
import { Server as SocketServer } from 'socket.io';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cannotRun, openSite, READY, type Site } from './pages-server.ts';

const WAIT = { timeout: 120_000 };

interface Impostor {
  /** Everything the page has sent, in order: method, URL, headers, body; `auth` of sockets. */
  readonly heard: string[];
  close(): Promise<void>;
}

/** Answers every request with success and records the request. */
async function impostorAt(port: number): Promise<Impostor> {
  const heard: string[] = [];
  const http: Server = createServer((req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', chunk => chunks.push(chunk as Buffer));
    req.on('end', () => {
      heard.push(`${req.method} ${req.url} ${JSON.stringify(req.headers)} ${Buffer.concat(chunks)}`);
      if (req.url!.endsWith('.js')) {
        res.setHeader('content-type', 'text/javascript');
        res.end("document.title = 'taken'; export default () => null;");
        return;
      }
      res.setHeader('content-type', 'application/json');
      res.end('{"nonce":"0123456789012345678901234567890123456789012","proof":"00"}');
    });
  });
  const io = new SocketServer(http, { transports: ['websocket'], serveClient: false });
  io.of('/dashboard').use((socket, next) => {
    heard.push(`socket ${JSON.stringify(socket.handshake.auth)}`);
    next();
  });
  await new Promise<void>((resolve, reject) => {
    http.once('error', reject);
    http.listen(port, '127.0.0.1', resolve);
  });
  return {
    heard,
    close: () => new Promise(resolve => void io.close(() => resolve())),
  };
}

describe.skipIf(cannotRun)("another program on the server's port", () => {
  let site: Site;
  beforeAll(async () => {
    site = await openSite();
  });
  afterAll(async () => {
    await site?.close();
  });

  it('gets no session, and the page reconnects when the server is back', async () => {
    const { context, page } = await site.visitor();
    try {
      const session = (await page.evaluate("sessionStorage.getItem('dure.token')")) as string;
      await page.waitForLoadState('networkidle');
      await site.stopServer();
      const impostor = await impostorAt(Number(new URL(site.url).port));
      try {
        await page.getByText('Not connected.').waitFor(WAIT);
        const before = impostor.heard.length;
        await page.getByRole('link', { name: 'History' }).first().click();
        await page.getByRole('link', { name: 'Settings' }).first().click();
        await expect.poll(() => impostor.heard.length, WAIT).toBeGreaterThan(before + 3);
        const all = impostor.heard.join('\n');
        expect(all).not.toContain(session);
        expect(all.toLowerCase()).not.toContain('bearer');
        expect(impostor.heard.filter(line => line.startsWith('socket'))).toEqual([]);
        expect(await page.title()).not.toBe('taken');
      } finally {
        await impostor.close();
      }
      await site.startServer();
      await page.getByText('Not connected.').waitFor({ state: 'detached', ...WAIT });
      await page.goto(`${site.url}/run/${READY}/mrp`);
      await page.getByRole('heading', { level: 1 }).waitFor(WAIT);
    } finally {
      await context.close();
    }
  });

  it('no request from a page contains the session, not even a request to the server that serves the page', async () => {
    const { context, page } = await site.visitor();
    try {
      const session = (await page.evaluate("sessionStorage.getItem('dure.token')")) as string;
      const sent: string[] = [];
      page.on('request', request =>
        sent.push(JSON.stringify([request.url(), request.headers(), request.postData()])),
      );
      await page.goto(`${site.url}/run/${READY}/mrp`);
      await page.getByRole('heading', { level: 1 }).waitFor(WAIT);
      await expect.poll(() => sent.some(line => line.includes('Bearer')), WAIT).toBe(true);
      expect(sent.filter(line => line.includes(session))).toEqual([]);
    } finally {
      await context.close();
    }
  });
});
