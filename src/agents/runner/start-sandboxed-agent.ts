/**
 * Starts an agent in its sandbox. The home of its role is kept in a private folder of the run, because sessions are
 * resumed from it; temporary folders belong to the launch.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { LaunchSandbox } from '../../formats/agent-sandbox.ts';
import type { LaunchSpec } from '../../formats/launch.ts';
import { linkInRun } from '../../formats/refuse-symlinks.ts';
import { startBubblewrap } from '../../process/sandbox/bubblewrap-process.ts';
import {
  certificatesIn,
  confinedEnvironment,
  viewOf,
} from '../../process/sandbox/sandbox-view-and-environment.ts';
import {
  newTemporaryHome,
  removeTemporaryHome,
  type TemporaryHome,
} from '../../process/sandbox/temporary-home.ts';
import { type Network, networkOf } from './agent-network.ts';
import { type AgentProcess, exitOf } from './agent-process-interface.ts';
import { copyLoginBack, copyLoginIn } from './copy-login-files.ts';

/** Rejects if the agent cannot be started; then neither its temporary folders nor its proxy are left. */
export async function startSandboxedAgent(
  { argv, cwd }: LaunchSpec,
  sandbox: LaunchSandbox,
  env: Readonly<Record<string, string>>,
  print: (line: string) => void,
): Promise<AgentProcess> {
  const home = join(sandbox.folder, 'home');
  await mkdir(home, { recursive: true, mode: 0o700 });
  await copyLoginIn(sandbox);
  const privateFolders = await newTemporaryHome();
  let network: Network | null = null;
  try {
    const folders = await foldersIn(sandbox, privateFolders);
    const { hidden } = sandbox;
    // An agent may have replaced a file in its folder with a link to a file that agents must not see.
    const [readable, writable] = [sandbox.readable, sandbox.writable].map(paths =>
      paths.filter(path => linkInRun(path) === null),
    ) as [string[], string[]];
    network = await networkOf(sandbox, argv, privateFolders, env, print);
    // The user's proxy may have its own certificates.
    readable.push(...certificatesIn(env));
    const confinement = { readable, writable, hidden, blank: hidden, folders, network: network.isOpen };
    const view = viewOf(confinement, env, cwd, { ...privateFolders, home });
    const agent = startBubblewrap(sandbox, view, {
      argv: network.argv,
      env: { ...confinedEnvironment(env), ...network.env },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    const { child } = agent;
    if (child.pid === undefined) throw (await agent.exited) ?? new Error('bubblewrap did not start');
    return {
      stdin: child.stdin!,
      stdout: child.stdout!,
      stderr: child.stderr!,
      exited: exitOf(child),
      signal: name => {
        if (!agent.signal(name)) child.kill('SIGKILL');
      },
      end: agent.end,
      close: () => {
        network?.close();
        return copyLoginBack(sandbox).finally(() => removeTemporaryHome(privateFolders));
      },
    };
  } catch (error) {
    network?.close();
    // The first error tells why the agent was not started.
    await removeTemporaryHome(privateFolders).catch(() => {});
    throw error;
  }
}

/** Creates the folders that start empty in the sandbox, and the files whose content is replaced there. */
async function foldersIn(
  { empty, replaced }: LaunchSandbox,
  { top }: TemporaryHome,
): Promise<{ at: string; from: string }[]> {
  const folders = await Promise.all(
    empty.map(async (at, n) => {
      const from = join(top, `empty-${n}`);
      await mkdir(from);
      return { at, from };
    }),
  );
  for (const [at, text] of Object.entries(replaced)) {
    const from = join(top, `replaced-${folders.length}`);
    await writeFile(from, text);
    folders.push({ at, from });
  }
  return folders;
}
