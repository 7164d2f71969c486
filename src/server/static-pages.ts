/** Serves the web UI from the built `ui/` folder: one document for every route, and its assets. */
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import express, { type Request, type RequestHandler, type Response, Router } from 'express';

const ROUTES = [
  ...['/', '/settings', '/history', '/run/new'],
  ...['/run/:id', '/run/:id/crp/:crpId', '/run/:id/mrp', '/run/:id/packs/:pack'],
];
/** Paths that never belong to a page. */
const NOT_PAGES = /^\/(api|health|assets)(\/|$)/;
/** Placeholder for the nonce in the built document. */
const NONCE_PLACE = '__CSP_NONCE__';

type WithNonce = Response & { locals: { nonce?: string } };
export const nonceOf = (res: Response): string => {
  const { locals } = res as WithNonce;
  locals.nonce ??= randomBytes(16).toString('base64');
  return locals.nonce;
};

export function servePages(folder: string): Router {
  const router = Router();
  const document = async (_req: Request, res: Response): Promise<void> => {
    const html = await readFile(join(folder, 'index.html'), 'utf8').catch(() => null);
    res.setHeader('Cache-Control', 'no-store');
    res.type('html');
    if (html === null) res.status(503).send(NOT_BUILT);
    else res.send(html.replaceAll(NONCE_PLACE, nonceOf(res)));
  };
  router.get(ROUTES, document);
  const files = { index: false as const, redirect: false, dotfiles: 'ignore' as const };
  const assets = join(folder, 'assets');
  const unchanging = { ...files, immutable: true, maxAge: '1y' };
  router.use('/assets', gzipped(express.static(assets, { ...unchanging, setHeaders: describeGzipped })));
  router.use('/assets', express.static(assets, { ...unchanging, fallthrough: false }));
  router.use(express.static(folder, files));
  // The page says that there is nothing at this address, and links to the overview.
  router.get('/*path', (req, res, next) => {
    if (NOT_PAGES.test(req.path) || !req.headers.accept?.includes('text/html')) return next();
    return document(req, res.status(404));
  });
  return router;
}

/**
 * Serves `<file>.gz`, which the build writes, to browsers that accept gzip. Leaves everything else to the
 * next handler.
 */
const gzipped =
  (serve: RequestHandler): RequestHandler =>
  (req, res, next) => {
    res.vary('Accept-Encoding');
    if (!req.acceptsEncodings('gzip')) return next();
    const { url } = req;
    req.url = `${req.path}.gz`;
    serve(req, res, error => {
      req.url = url;
      next(error);
    });
  };

function describeGzipped(res: Response, file: string): void {
  res.type(extname(file.slice(0, -'.gz'.length)));
  res.setHeader('Content-Encoding', 'gzip');
}

const NOT_BUILT = `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Dure</title>
<h1>The pages are not built</h1>
<p>Run <code>npm run build</code> in Dure's own folder. The command line works without the pages: <code>dure status</code>.</p>
`;
