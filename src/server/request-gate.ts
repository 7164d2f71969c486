/** Counts the requests in progress. Once the gate is closed, new ones are refused. */
import { setTimeout as pause } from 'node:timers/promises';
import type { RequestHandler } from 'express';
import { HttpRefusal } from './api/http-refusal.ts';

export interface RequestGate {
  readonly enter: RequestHandler;
  isOpen(): boolean;
  /** Waits for the requests in progress, at most `limitMs`. */
  close(limitMs: number): Promise<void>;
}

export function requestGate(): RequestGate {
  let isOpen = true;
  let inProgress = 0;
  return {
    enter(_req, res, next) {
      if (!isOpen) throw new HttpRefusal(503, 'E_CLOSING', 'The server is shutting down.');
      inProgress += 1;
      res.once('close', () => {
        inProgress -= 1;
      });
      next();
    },
    isOpen: () => isOpen,
    async close(limitMs) {
      isOpen = false;
      const until = performance.now() + limitMs;
      while (inProgress > 0 && performance.now() < until) await pause(20);
    },
  };
}
