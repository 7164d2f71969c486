/** The routes under /health. */
import { Router } from 'express';
import { type HealthContext, healthOf, interruptedOf, readyOf } from '../health.ts';
import { singleFlight } from '../single-flight.ts';

/** Routes for monitoring. They need no session and reveal nothing about the runs' content. */
export function healthRoutes(context: HealthContext): Router {
  const interrupted = singleFlight(() => interruptedOf(context));
  const router = Router();
  router.get('/', async (_req, res) => {
    const health = await healthOf(context);
    res.status(health.status === 'unhealthy' ? 503 : 200).json(health);
  });
  router.get('/live', (_req, res) => {
    res.json({ status: 'ok', timestamp: new Date().toISOString() });
  });
  router.get('/ready', async (_req, res) => {
    const ready = await readyOf(context);
    res.status(ready.status === 'ready' ? 200 : 503).json(ready);
  });
  router.get('/interrupted', async (_req, res) => {
    res.json(await interrupted());
  });
  return router;
}
