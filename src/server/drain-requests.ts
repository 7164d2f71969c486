/** Counts the requests in progress, so that a shutdown can refuse new ones and wait for the rest. */
import { setTimeout as pause } from 'node:timers/promises';
import type { RequestHandler } from 'express';
import { HttpRefusal } from './api/http-refusal.ts';

export interface RequestDrain {
  readonly enter: RequestHandler;
  isOpen(): boolean;
  /** Refuses new requests, and waits for those in progress, for at most `limitMs`. */
  drain(limitMs: number): Promise<void>;
}

export function requestDrain(): RequestDrain {
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
    async drain(limitMs) {
      isOpen = false;
      const until = performance.now() + limitMs;
      while (inProgress > 0 && performance.now() < until) await pause(20);
    },
  };
}
