/** Runs an installation's commands in a sandbox that contains the tree and the package manager caches. */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { removeFolder } from '../../formats/file-system/remove-folder.ts';
import { temporaryFolder } from '../../formats/file-system/temporary-folder.ts';
import { replace } from '../../formats/read-and-write-files.ts';
import { quoteWord } from '../../formats/text/shell-words.ts';
import { locked } from '../../process/file-lock.ts';
import { runCommand } from '../../process/run-shell-command.ts';
import type { Sandbox } from '../../process/sandbox/find-sandbox.ts';
import {
  managerVariables,
  moduleEnvironment,
  plainEnvironment,
  storeEnvironment,
  storesIn,
} from './install-environment.ts';
import type { ProgramEnvironment } from './programs-on-path.ts';
import { packageManagerConfig } from './user-registry-config.ts';

export interface Installation {
  /** Top folder of the tree to set up. */
  readonly checkout: string;
  /** Folder in which tests run, relative to the top. */
  readonly directory: string;
  readonly command: string;
  /** The environment of the user who started Dure. */
  readonly env: ProgramEnvironment;
  readonly sandbox: Sandbox;
  readonly stateFolder: string;
  readonly onOutput: (chunk: Buffer) => void;
  readonly signal: AbortSignal;
}

export interface InstallSession {
  readonly installation: Installation;
  /** Folders that are prepended to PATH. */
  readonly programs: string[];
  /** Paths that builds read outside the tree and the caches. */
  readonly sources: readonly string[];
  /** Adds a line to the log. */
  log(line: string): void;
  /**
   * Runs a command with the user's registries and with writable caches. Returns null on success, otherwise the problem.
   */
  fetch(command: string, cwd: string, more?: FetchOptions): Promise<string | null>;
  /** Runs a command of the project, without credentials. Returns null on success, otherwise the problem. */
  run(command: string, cwd: string): Promise<string | null>;
}

interface FetchOptions {
  /** Writable paths in addition to the tree. */
  readonly writable?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

const TIMEOUT_MS = 900_000;
const GRACE_MS = 2000;

/** Holds a lock while `work` runs. After a long wait, logs which process has it; the session's signal ends the wait. */
export const lockedInSession = <T>(
  { installation: { signal }, log }: InstallSession,
  file: string,
  work: () => Promise<T>,
): Promise<T> =>
  locked(file, work, {
    signal,
    onSlow: holder => log(`Waiting for process ${holder}, which does the same installation`),
  });

export async function withInstallSession<T>(
  installation: Installation,
  work: (session: InstallSession) => Promise<T>,
): Promise<T> {
  const { checkout, env, sandbox, stateFolder, onOutput, signal } = installation;
  const config = await packageManagerConfig(env);
  const stores = storesIn(stateFolder);
  await mkdir(stores, { recursive: true, mode: 0o700 });
  if (config.cargo === '') await rm(cargoConfig(stateFolder), { force: true });
  else await replace(cargoConfig(stateFolder), config.cargo, 0o600);
  const home = await temporaryFolder('dure-package-config-');
  const programs: string[] = [];
  const start = async (
    command: string,
    cwd: string,
    access: {
      readonly env: Record<string, string>;
      readonly readable: readonly string[];
      readonly writable: readonly string[];
    },
  ): Promise<string | null> => {
    signal.throwIfAborted();
    const plain = plainEnvironment(env);
    const ended = await runCommand({
      command,
      cwd,
      env: {
        ...plain,
        ...managerVariables(installation.command),
        ...access.env,
        PATH: [...programs, plain['PATH']].join(':'),
      },
      timeout_ms: TIMEOUT_MS,
      grace_ms: GRACE_MS,
      signal,
      sandbox,
      confinement: {
        writable: [checkout, ...access.writable],
        readable: [...access.readable, ...programs.map(program => dirname(dirname(program)))],
        network: true,
      },
      onOutput: (_from, chunk) => onOutput(chunk),
    });
    signal.throwIfAborted();
    if (ended.exit_code === 0) return null;
    if (ended.timedOut) return `did not finish within ${TIMEOUT_MS / 60_000} minutes`;
    return (
      ended.spawnError ??
      (ended.exit_code === null ? `killed by ${ended.signal}` : `exit code ${ended.exit_code}`)
    );
  };
  try {
    for (const [path, text] of config.files) {
      await mkdir(dirname(join(home, path)), { recursive: true });
      await writeFile(join(home, path), text, { mode: 0o600 });
    }
    return await work({
      installation,
      programs,
      sources: config.cargoSources,
      log: line => onOutput(Buffer.from(`${line}\n`)),
      fetch: (command, cwd, { writable = [], env: more } = {}) =>
        start(`cp -R ${quoteWord(`${home}/.`)} "$HOME"/ && { ${command}\n}`, cwd, {
          env: { ...storeEnvironment(stateFolder), ...config.env, ...more },
          readable: [home, ...config.readable],
          writable: [stores, ...writable],
        }),
      run: (command, cwd) =>
        start(command, cwd, { env: moduleEnvironment(stateFolder), readable: [stores], writable: [] }),
    });
  } finally {
    await removeFolder(home);
  }
}

/** The path of the configuration that Cargo reads next to its registry; later builds need it too. */
const cargoConfig = (stateFolder: string): string =>
  join(moduleEnvironment(stateFolder)['CARGO_HOME']!, 'config.toml');
