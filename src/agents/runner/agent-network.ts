/** Provides the network access of an agent in its sandbox: unrestricted, or only through Dure's proxy. */
import { join } from 'node:path';
import type { LaunchSandbox } from '../../formats/agent-sandbox.ts';
import { distFile } from '../../process/package-paths-and-version.ts';
import type { TemporaryHome } from '../../process/sandbox/temporary-home.ts';
import { egressProxy } from './egress-proxy.ts';
import { ownPorts } from './is-host-allowed.ts';

export interface Network {
  readonly isOpen: boolean;
  /** The command line that runs the agent. */
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  close(): void;
}

const SOCKET = 'dure-proxy.sock';
const LOOPBACK = '127.0.0.1,localhost,::1';

export async function networkOf(
  { mode, hosts }: LaunchSandbox,
  argv: readonly string[],
  { tmp }: TemporaryHome,
  env: Readonly<Record<string, string>>,
  print: (line: string) => void,
): Promise<Network> {
  if (mode === 'standard') return { isOpen: true, argv, env: {}, close() {} };
  const ports = ownPorts(hosts);
  const port = [3128, 3129].find(one => !ports.includes(one)) ?? 3130;
  const onRefused = (target: string) =>
    print(`The sandbox has no access to ${target}. To allow access, add it to sandbox.allow.`);
  const proxy = await egressProxy(join(tmp, SOCKET), hosts, onRefused, env);
  const url = `http://127.0.0.1:${port}`;
  return {
    isOpen: false,
    argv: [
      process.execPath,
      distFile('sandbox-relay.cjs'),
      `/tmp/${SOCKET}`,
      String(port),
      ports.join(),
      ...argv,
    ],
    env: {
      HTTP_PROXY: url,
      HTTPS_PROXY: url,
      http_proxy: url,
      https_proxy: url,
      NO_PROXY: LOOPBACK,
      no_proxy: LOOPBACK,
      NODE_USE_ENV_PROXY: '1',
    },
    close: proxy.close,
  };
}
