import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ask, makePlace } from './test-server.ts';

const ROUTES = [
  '/',
  '/settings',
  '/run/new',
  '/run/run-20260131-142233',
  '/run/run-20260131-142233/crp/crp-001',
  '/run/run-20260131-142233/mrp',
  '/history',
];

describe('pages', () => {
  it('every specified page is the same document, not cached, with the nonce of its own policy', async () => {
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

  it('missing pages are reported with a clear message, and the rest of the server works', async () => {
    const place = await makePlace();
    const server = await place.serve({ pages: join(place.root, 'absent') });
    const answer = await ask(server, '/', { token: null });
    expect([answer.status, answer.text]).toEqual([503, expect.stringContaining('npm run build')]);
    expect((await ask(server, '/api/runs')).status).toBe(200);
  });
});
