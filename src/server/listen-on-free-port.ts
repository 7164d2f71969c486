/** Decides which ports the server tries and in what order, and listens on the first free one. */
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';
import { dureError } from '../errors.ts';

const MAX_TRIES = 100;

/** Port 0 means any free port. */
export const requestedPorts = z.strictObject({
  port: z.int().min(0).max(65_535),
  by: z.enum(['person', 'configuration']),
});
export type RequestedPort = z.infer<typeof requestedPorts>;

/** The previous server's port, and the port that it was asked to use. */
interface PreviousServer {
  readonly port: number;
  readonly wanted: RequestedPort;
}

/**
 * Puts the port of the previous server first, because open pages reconnect to it. A port that was given on the command
 * line, or has been changed in the configuration since, takes precedence; the previous port is then second if it is one
 * of the ports to try.
 */
export function portsToTry({ port, by }: RequestedPort, before: PreviousServer | null): number[] {
  const sequence =
    port === 0 ? [0] : Array.from({ length: MAX_TRIES }, (_, i) => port + i).filter(one => one <= 65_535);
  if (!before) return sequence;
  const changed = before.wanted.by === 'configuration' && before.wanted.port !== port;
  const moves = port !== 0 && (by === 'person' || changed);
  if (!moves) return [before.port, ...sequence];
  return sequence.includes(before.port) ? [port, before.port, ...sequence.slice(1)] : sequence;
}

/** Listens on the first free port of the list and returns it. Throws `E_PORT`. */
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
  throw dureError('E_PORT', { tried: ports.length, first: ports[0]! });
}
