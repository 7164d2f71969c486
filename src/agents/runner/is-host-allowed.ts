/** Determines which hosts an agent without network access may reach through Dure's proxy. This module is pure. */

/** `target` is the `host:port` that a client asks for. Each of `hosts` is a `host`, for port 443, or a `host:port`. */
export function isHostAllowed(target: string, hosts: readonly string[]): boolean {
  const asked = target.toLowerCase();
  return /^[a-z0-9.-]+:\d+$/.test(asked) && hosts.some(host => withPort(host) === asked);
}

/** Returns the ports of this machine that `hosts` lists. */
export const ownPorts = (hosts: readonly string[]): number[] =>
  hosts.map(withPort).flatMap(host => {
    const port = /^127\.0\.0\.1:(\d+)$/.exec(host)?.[1];
    return port ? [Number(port)] : [];
  });

const withPort = (host: string): string => {
  const name = host.toLowerCase().replace(/^localhost(?=:|$)/, '127.0.0.1');
  return /:\d+$/.test(name) ? name : `${name}:443`;
};
