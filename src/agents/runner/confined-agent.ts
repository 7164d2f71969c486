/**
 * An agent in its sandbox. Its home is kept in a private folder of the run, because sessions are resumed from it;
 * temporary folders are those of the launch.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { LaunchSandbox } from '../../formats/agent-sandbox.ts';
import type { LaunchSpec } from '../../formats/launch.ts';
import { startBubblewrap } from '../../process/bubblewrap-process.ts';
import { confinedEnvironment, viewOf } from '../../process/sandbox-view.ts';
import { newPrivateFolders, removePrivateFolders } from '../../process/temporary-home.ts';
import { type AgentProcess, exitOf } from './agent-process.ts';
import { bringLogin, keepLogin } from './login-files.ts';
import { networkOf } from './network.ts';

export async function startConfinedAgent(
  { argv, cwd }: LaunchSpec,
  sandbox: LaunchSandbox,
  env: Readonly<Record<string, string>>,
  say: (line: string) => void,
): Promise<AgentProcess> {
  const home = join(sandbox.folder, 'home');
  await mkdir(home, { recursive: true, mode: 0o700 });
  await bringLogin(sandbox);
  const own = await newPrivateFolders();
  const folders = await Promise.all(
    sandbox.empty.map(async (at, n) => {
      const from = join(own.top, `empty-${n}`);
      await mkdir(from);
      return { at, from };
    }),
  );
  const { readable, writable, hidden } = sandbox;
  const network = await networkOf(sandbox, argv, own, say);
  const confinement = { readable, writable, hidden, blank: hidden, folders, network: network.isOpen };
  const view = viewOf(confinement, env, cwd, { ...own, home });
  const agent = startBubblewrap(sandbox, view, {
    argv: network.argv,
    env: { ...confinedEnvironment(env), ...network.env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const { child } = agent;
  if (child.pid === undefined) {
    network.close();
    await removePrivateFolders(own);
    throw (await agent.exited) ?? new Error('bubblewrap did not start');
  }
  return {
    stdin: child.stdin!,
    stdout: child.stdout!,
    stderr: child.stderr!,
    exited: exitOf(child),
    signal: name => {
      if (!agent.signal(name)) child.kill('SIGKILL');
    },
    end: agent.end,
    async close() {
      network.close();
      await keepLogin(sandbox);
      await removePrivateFolders(own);
    },
  };
}
