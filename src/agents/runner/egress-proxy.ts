/**
 * The proxy for an agent without network access: an HTTP proxy on a unix socket that connects only to listed hosts.
 * The agent reaches it through `sandbox-relay.cjs`.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { isHostAllowed } from './is-host-allowed.ts';
import { connectThrough } from './upstream-proxy.ts';

export interface EgressProxy {
  close(): void;
}

/** `onRefused` is called once for each refused `host:port`, up to 100 of them. `env` may name the user's proxy. */
export async function egressProxy(
  socket: string,
  hosts: readonly string[],
  onRefused: (target: string) => void,
  env: Readonly<Record<string, string | undefined>> = {},
): Promise<EgressProxy> {
  const reported = new Set<string>();
  const refuse = (target: string): void => {
    if (!reported.has(target) && reported.size < 100) onRefused(target);
    reported.add(target);
  };
  const server = createServer((request, response) => {
    refuse(String(request.headers.host ?? ''));
    response
      .writeHead(403, { connection: 'close' })
      .end('Dure lets agents reach only the hosts in sandbox.allow, over HTTPS.\n');
  });
  const open = new Set<{ destroy(): unknown }>();
  server.on('connect', (request, client, head) => {
    const target = request.url ?? '';
    open.add(client);
    client.on('error', () => {}).on('close', () => open.delete(client));
    if (!isHostAllowed(target, hosts)) {
      refuse(target);
      return void client.end('HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n');
    }
    connectThrough(target, env).then(
      upstream => {
        open.add(upstream);
        upstream.on('error', () => {});
        upstream.on('close', () => {
          open.delete(upstream);
          // Data that upstream sent before it closed is still written.
          client.end();
        });
        if (client.destroyed) return void upstream.destroy();
        client.on('close', () => upstream.destroy());
        client.write('HTTP/1.1 200 Connection established\r\n\r\n');
        upstream.write(head);
        upstream.pipe(client).pipe(upstream);
      },
      () => client.end('HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n'),
    );
  });
  server.listen(socket);
  await once(server, 'listening');
  return {
    close() {
      server.close();
      for (const one of open) one.destroy();
    },
  };
}
