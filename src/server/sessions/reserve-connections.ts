/**
 * Limits the number of connections and reserves some for clients that are signed in, because any user of the machine
 * can open connections. A connection counts as signed in once a request or a socket on it has been admitted. If there
 * are too many other connections, the oldest of them is closed rather than the newest: a browser sends its first
 * request as soon as it is connected, and is signed in from then on.
 */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';

export interface ConnectionLimits {
  readonly all: number;
  /**
   * More than the listen backlog of 511, so that the server reads from a new connection before others can
   * displace it.
   */
  readonly notSignedIn: number;
}

/** Applies the limits to a server. Returns a function that marks a connection as signed in. */
export function reserveConnections(http: Server, limits: ConnectionLimits): (connection: Socket) => void {
  const strangers = new Set<Socket>();
  http.maxConnections = limits.all;
  http.on('connection', connection => {
    strangers.add(connection);
    connection.once('close', () => strangers.delete(connection));
    const [oldest] = strangers;
    if (strangers.size > limits.notSignedIn) oldest?.destroy();
  });
  return connection => void strangers.delete(connection);
}
