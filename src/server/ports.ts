/** The port of the pages: which are tried, in which order, and the first of them that is free. */
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';
import { Refusal } from './refusal.ts';

const TRIED = 100;

/** 0: any. */
export const wanted = z.strictObject({
  port: z.int().min(0).max(65_535),
  by: z.enum(['person', 'configuration']),
});
export type Wanted = z.infer<typeof wanted>;

/** Where the server before was, and what it was told. */
interface Before {
  readonly port: number;
  readonly wanted: Wanted;
}

/**
 * Pages that are still open ask at the port of the server before. It comes first, unless a person wants another one:
 * asked for it now, or has changed the configuration since. Then it is still the next best, when it is near.
 */
export function portsToTry({ port, by }: Wanted, before: Before | null): number[] {
  const inOrder =
    port === 0 ? [0] : Array.from({ length: TRIED }, (_, i) => port + i).filter(one => one <= 65_535);
  if (!before) return inOrder;
  const changed = before.wanted.by === 'configuration' && before.wanted.port !== port;
  const moves = port !== 0 && (by === 'person' || changed);
  if (!moves) return [before.port, ...inOrder];
  return inOrder.includes(before.port) ? [port, before.port, ...inOrder.slice(1)] : inOrder;
}

/** Listens on the first of these ports that is free, and says which. */
export async function listenOn(http: Server, host: string, ports: readonly number[]): Promise<number> {
  for (const port of ports) {
    const error = await new Promise<NodeJS.ErrnoException | null>(resolve => {
      http.once('error', resolve);
      http.listen(port, host, () => {
        http.removeListener('error', resolve);
        resolve(null);
      });
    });
    if (!error) return (http.address() as AddressInfo).port;
    if (error.code !== 'EADDRINUSE' && error.code !== 'EACCES') throw error;
  }
  throw new Refusal(500, 'E_PORT', `No port from ${ports[0]} on is free.`);
}
