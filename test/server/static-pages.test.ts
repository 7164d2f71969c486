import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { distFile } from '../../src/process/package-paths-and-version.ts';
import { ask, makePlace } from './test-server.ts';

const ROUTES = [
  '/',
  '/settings',
  '/run/new',
  '/run/run-20260131-142233',
  '/run/run-20260131-142233/crp/crp-001',
  '/run/run-20260131-142233/mrp',
  '/run/run-20260131-142233/packs/1',
  '/history',
];

describe('pages', () => {
  it('every specified route returns the same document, uncached and with the nonce of its content security policy', async () => {
    const place = await makePlace();
    const pages = join(place.root, 'ui');
    await mkdir(join(pages, 'assets'), { recursive: true });
    await writeFile(
      join(pages, 'index.html'),
      '<!doctype html><meta property="csp-nonce" nonce="__CSP_NONCE__"><title>Dure</title>',
    );
    await writeFile(join(pages, 'assets/app-1a2b3c.js'), 'export {};');
    const server = await place.serve({ pages });
    for (const route of ROUTES) {
      const { status, headers, text } = await ask(server, route, { token: null });
      expect([route, status, headers['content-type'], headers['cache-control']]).toEqual([
        route,
        200,
        'text/html; charset=utf-8',
        'no-store',
      ]);
      const [, nonce] = /nonce="([^"]+)"/.exec(text)!;
      expect(headers['content-security-policy']).toContain(`'nonce-${nonce}'`);
    }
    const script = await ask(server, '/assets/app-1a2b3c.js', { token: null });
    expect([script.status, script.text]).toEqual([200, 'export {};']);
    expect(script.headers['cache-control']).toContain('immutable');
    for (const path of [
      '/run',
      '/assets/',
      '/assets/absent.js',
      '/assets/..%2f..%2f.dure/server/server.json',
      '/.env',
      '/runs',
    ])
      expect([403, 404], path).toContain((await ask(server, path, { token: null })).status);
  });

  it('page scripts are sent compressed to browsers that accept compression', async () => {
    const server = await (await makePlace()).serve();
    const document = (await ask(server, '/', { token: null })).text;
    const [, script] = /src="(\/assets\/[^"]+\.js)"/.exec(document)!;
    const built = await readFile(join(distFile('ui'), script!), 'utf8');
    const get = (encodings: string) =>
      fetch(`${server.url}${script}`, { headers: { 'accept-encoding': encodings } });
    const packed = await get('gzip, deflate, br');
    expect(Object.fromEntries(packed.headers)).toMatchObject({
      'content-encoding': 'gzip',
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': expect.stringContaining('immutable'),
      vary: 'Accept-Encoding',
    });
    expect(Number(packed.headers.get('content-length'))).toBeLessThan(built.length / 2);
    expect(await packed.text()).toBe(built);
    const plain = await get('identity');
    expect(plain.headers.get('content-encoding')).toBeNull();
    expect(await plain.text()).toBe(built);
    for (const encodings of ['gzip', 'identity'])
      expect(
        (await fetch(`${server.url}/assets/absent.js`, { headers: { 'accept-encoding': encodings } })).status,
      ).toBe(404);
  });

  it('at an unknown address, a browser gets the page and any other client gets JSON', async () => {
    const place = await makePlace();
    const pages = join(place.root, 'ui');
    await mkdir(pages);
    await writeFile(join(pages, 'index.html'), '<!doctype html><title>Dure</title>');
    const server = await place.serve({ pages });
    const browse = { token: null, headers: { accept: 'text/html,*/*;q=0.8' } };
    const page = await ask(server, '/runs/of/mine', browse);
    expect([page.status, page.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
    for (const path of ['/api/nothing', '/health/nothing', '/assets/nothing.js'])
      expect((await ask(server, path, browse)).headers['content-type'], path).toContain('application/json');
    expect((await ask(server, '/runs/of/mine', { token: null })).json()).toMatchObject({ ok: false });
  });

  it('missing page files are reported with a clear message, and the rest of the server works', async () => {
    const place = await makePlace();
    const server = await place.serve({ pages: join(place.root, 'absent') });
    const answer = await ask(server, '/', { token: null });
    expect([answer.status, answer.text]).toEqual([503, expect.stringContaining('npm run build')]);
    expect((await ask(server, '/api/runs')).status).toBe(200);
  });
});
