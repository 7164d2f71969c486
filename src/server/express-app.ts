/** The HTTP routes of the server: security headers, request gate, health checks, API, pages and error handling. */
import express, {
  type Express,
  type NextFunction,
  type Request,
  type RequestHandler,
  type Response,
} from 'express';
import type { ApiContext } from './api/api-context.ts';
import { apiEndpoints } from './api/api-endpoints.ts';
import { apiRoutes } from './api/endpoint-router.ts';
import { healthRoutes } from './api/health-routes.ts';
import { HttpRefusal } from './api/http-refusal.ts';
import { refusedIn, requestLanguage } from './api/localized-refusal.ts';
import type { HealthContext } from './health.ts';
import { securityHeaders } from './security-headers.ts';
import type { Authorize } from './sessions/sessions.ts';
import { servePages } from './static-pages.ts';

export interface AppContext {
  readonly health: HealthContext;
  readonly api: ApiContext;
  readonly admits: Authorize;
  /** Called for every request, before its route. */
  readonly enter: RequestHandler;
  /** Folder that contains the built web UI. */
  readonly pages: string;
  /** Logs an internal error. */
  log(error: unknown): void;
}

export function expressApp({ health, api, admits, enter, pages, log }: AppContext): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', 'simple');
  app.use(...securityHeaders());
  app.use(enter);
  app.use('/health', healthRoutes(health));
  app.use('/api', apiRoutes(apiEndpoints(api), admits, api.version));
  app.use(servePages(pages));
  app.use(() => {
    throw new HttpRefusal(404, 'E_NOT_FOUND', 'Not found.');
  });
  app.use(async (error: unknown, req: Request, res: Response, next: NextFunction) => {
    const { status, body, expected } = await refusedIn(requestLanguage(req), error, api.project.root);
    if (!expected) log(error);
    if (res.headersSent) return next(error);
    if (status === 401) res.setHeader('WWW-Authenticate', 'Bearer');
    res.setHeader('Cache-Control', 'no-store');
    res.status(status).json(body);
  });
  return app;
}
