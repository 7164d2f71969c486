/**
 * A free port for a server that is stopped and started again at the same address. In the meantime, the kernel does
 * not assign the port to other programs, neither for `listen(0)` nor for outgoing connections.
 */
import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';

const LOWEST = 10_000;

/** The lowest port that the kernel assigns by itself. */
function firstEphemeral(): number {
  try {
    return Number(readFileSync('/proc/sys/net/ipv4/ip_local_port_range', 'utf8').split('\t')[0]);
  } catch {
    return 32_768;
  }
}

export async function lastingPort(): Promise<number> {
  const end = Math.max(firstEphemeral(), LOWEST + 1000);
  for (;;) {
    const port = randomInt(LOWEST, end);
    if (await isFree(port)) return port;
  }
}

const isFree = (port: number): Promise<boolean> =>
  new Promise(resolve => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
