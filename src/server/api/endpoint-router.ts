/** Connects the endpoints to Express: authorizes, reads and validates requests, and sends responses. */
import express, { type NextFunction, type Request, type Response, Router } from 'express';
import { parseJson } from '../../formats/schema/strict-json.ts';
import type { Authorize } from '../sessions/sessions.ts';
import { type Endpoint, read } from './endpoint.ts';
import { HttpRefusal } from './http-refusal.ts';
import { requestLanguage } from './localized-refusal.ts';
import { openapi } from './openapi.ts';

const BODY_LIMIT = 256_000;

/** The router under `/api`. Endpoints that are not `open` require a session token. */
export function apiRoutes(endpoints: readonly Endpoint[], admits: Authorize, version: string): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.use((_req, res, next) => {
    res.setHeader('Cache-Control', 'no-store');
    next();
  });
  for (const one of endpoints.filter(({ open }) => open)) route(router, one);
  router.use((req, _res, next) => {
    const [, token] = /^Bearer ([\w.~+/=-]{1,200})$/.exec(req.headers.authorization ?? '') ?? [];
    if (!admits(token, req.socket)) throw new HttpRefusal(401, 'E_TOKEN', 'The token is missing or wrong.');
    next();
  });
  router.get('/openapi.json', (_req, res) => {
    res.json(openapi(endpoints, version));
  });
  for (const one of endpoints.filter(({ open }) => !open)) route(router, one);
  return router;
}

function route(router: Router, one: Endpoint): void {
  const path = one.path.slice('/api'.length);
  router[one.method](
    path,
    ...(one.body ? [onlyJson, express.text({ type: 'application/json', limit: BODY_LIMIT })] : []),
    async (req: Request, res: Response) => {
      const params = read(one.params, { ...req.params });
      const query = read(one.query, { ...req.query });
      const body = read(one.body, one.body ? bodyOf(req) : undefined);
      const answer = await one.serve({ params, query, body, language: requestLanguage(req) });
      if (one.answer === 'file') sendFile(res, answer as { name: string; bytes: Buffer });
      else res.status(one.status ?? 200).json(answer);
    },
  );
}

/** Requires JSON: a form on another site can send text/plain without a CORS preflight, but not application/json. */
function onlyJson(req: Request, _res: Response, next: NextFunction): void {
  if (!/^application\/json *(;|$)/i.test(req.headers['content-type'] ?? ''))
    throw new HttpRefusal(415, 'E_TYPE', 'Send application/json.');
  next();
}

function bodyOf(req: Request): unknown {
  const text = typeof req.body === 'string' ? req.body : '';
  if (text.trim() === '') return {};
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof SyntaxError) throw new HttpRefusal(400, 'E_BODY', `Not JSON: ${error.message}.`);
    throw error;
  }
}

/** Sends a file as a download, so that a browser never renders or runs what an agent wrote. */
function sendFile(res: Response, { name, bytes }: { name: string; bytes: Buffer }): void {
  res.setHeader('Content-Security-Policy', "default-src 'none'; sandbox");
  res.attachment(name);
  res.setHeader('Content-Type', 'text/plain; charset=utf-8');
  res.send(bytes);
}
