/**
 * `sandbox-relay.cjs <socket> <port> <ports> <program> [argument…]`: runs an agent in a sandbox without network access.
 * Listens on loopback and passes each connection through the socket to Dure's proxy, which allows or refuses it: `port`
 * is a proxy for the agent, and each of `ports` (comma-separated) leads to the same port of the host.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { constants } from 'node:os';

async function listen(port: number, pass: (client: Socket) => void): Promise<void> {
  // IPv6 may be disabled.
  for (const host of ['127.0.0.1', '::1']) {
    const server = createServer(pass);
    server.listen(port, host);
    await once(server, 'listening').catch((error: Error) => {
      if (host === '127.0.0.1') throw error;
    });
  }
}

function join(one: Socket, other: Socket): void {
  one.pipe(other).pipe(one);
  for (const [socket, peer] of [
    [one, other],
    [other, one],
  ] as const)
    socket.on('error', () => peer.destroy()).on('close', () => peer.end());
}

const toProxy = (socket: string) => (client: Socket) => join(client, connect(socket));

/** Asks the proxy to connect to a port on the host, and strips the proxy's reply from the stream. */
const toPort = (socket: string, port: number) => (client: Socket) => {
  const proxy = connect(socket);
  client.on('error', () => proxy.destroy());
  proxy.on('error', () => client.destroy());
  proxy.write(`CONNECT 127.0.0.1:${port} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`);
  let reply = Buffer.alloc(0);
  const onData = (chunk: Buffer) => {
    reply = Buffer.concat([reply, chunk]);
    const end = reply.indexOf('\r\n\r\n');
    if (end < 0) return;
    proxy.off('data', onData).pause();
    if (!/^HTTP\/1\.1 200 /.test(reply.toString('latin1'))) return void client.destroy();
    if (reply.length > end + 4) proxy.unshift(reply.subarray(end + 4));
    join(client, proxy);
  };
  proxy.on('data', onData);
};

async function main([socket, port, ports, program, ...args]: string[]): Promise<number> {
  if (!socket || !port || !program)
    throw new Error('usage: sandbox-relay <socket> <port> <ports> <program> [argument…]');
  await listen(Number(port), toProxy(socket));
  for (const own of (ports ?? '').split(',').filter(Boolean))
    await listen(Number(own), toPort(socket, Number(own)));
  // The agent is in the same session and gets the same signals.
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => {});
  const child = spawn(program, args, { stdio: 'inherit' });
  const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
  return code ?? 128 + constants.signals[signal!];
}

main(process.argv.slice(2)).then(
  code => process.exit(code),
  (error: NodeJS.ErrnoException) => {
    const isMissing = error.code === 'ENOENT';
    process.stderr.write(
      isMissing ? `bwrap: execvp ${process.argv[5]}: No such file or directory\n` : `${error.stack}\n`,
    );
    process.exit(isMissing ? 127 : 1);
  },
);
