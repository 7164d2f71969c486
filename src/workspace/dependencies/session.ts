/** Runs the commands of one installation, each confined to the tree and to what it needs beside it. */
import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, rename, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { erase } from '../../process/erase.ts';
import { runCommand } from '../../process/run-command.ts';
import type { Sandbox } from '../../process/sandbox.ts';
import { moduleEnvironment, plainEnvironment, storeEnvironment, storesIn } from './environment.ts';
import { packageManagerConfig } from './package-manager-config.ts';
import type { Environment } from './programs.ts';
import { quoted } from './shell-words.ts';

export interface Installation {
  /** Top of the tree that is made ready. */
  readonly checkout: string;
  /** Where tests run, relative to the top. */
  readonly directory: string;
  readonly command: string;
  /** The person's environment. */
  readonly env: Environment;
  readonly sandbox: Sandbox;
  readonly stateFolder: string;
  readonly onOutput: (chunk: Buffer) => void;
  readonly signal: AbortSignal;
}

export interface Session {
  readonly installation: Installation;
  /** Folders with programs that commands find before those on PATH. */
  readonly programs: string[];
  /** A line in the log beside what commands print. */
  say(line: string): void;
  /** A command that may fetch: with the network, the person's registries and the stores. Null when it went well. */
  fetch(command: string, cwd: string, more?: Partial<RunOptions>): Promise<string | null>;
  /** A command of the project's own, without credentials. */
  run(command: string, cwd: string, more?: Partial<RunOptions>): Promise<string | null>;
}

interface RunOptions {
  /** Besides the tree. */
  readonly writable: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Hears what the command prints, too. */
  readonly listen: (text: string) => void;
}

const TIMEOUT_MS = 900_000;
const GRACE_MS = 2000;

export async function withSession<T>(
  installation: Installation,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  const { checkout, env, sandbox, stateFolder, onOutput, signal } = installation;
  const config = await packageManagerConfig(env);
  const stores = storesIn(stateFolder);
  await mkdir(stores, { recursive: true, mode: 0o700 });
  if (config.cargo !== null) await writeCargoConfig(stateFolder, config.cargo);
  const home = await mkdtemp(join(tmpdir(), 'dure-package-config-'));
  const programs: string[] = [];
  const start = async (
    command: string,
    cwd: string,
    { writable = [], env: more = {}, listen }: Partial<RunOptions>,
    own: {
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
      env: { ...plain, ...own.env, ...more, PATH: [...programs, plain['PATH']].join(':') },
      timeout_ms: TIMEOUT_MS,
      grace_ms: GRACE_MS,
      signal,
      sandbox,
      confinement: {
        writable: [checkout, ...own.writable, ...writable],
        readable: [...own.readable, ...programs.map(program => dirname(dirname(program)))],
        network: true,
      },
      onOutput(_from, chunk) {
        onOutput(chunk);
        listen?.(chunk.toString('utf8'));
      },
    });
    signal.throwIfAborted();
    if (ended.exit_code === 0) return null;
    if (ended.timedOut) return `did not end within ${TIMEOUT_MS / 60_000} minutes`;
    return (
      ended.spawnError ??
      (ended.exit_code === null ? `ended by ${ended.signal}` : `exit code ${ended.exit_code}`)
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
      say: line => onOutput(Buffer.from(`${line}\n`)),
      fetch: (command, cwd, more = {}) =>
        start(`cp -R ${quoted(`${home}/.`)} "$HOME"/ && { ${command}\n}`, cwd, more, {
          env: { ...storeEnvironment(stateFolder), ...config.env },
          readable: [home, ...config.readable],
          writable: [stores],
        }),
      run: (command, cwd, more = {}) =>
        start(command, cwd, more, { env: moduleEnvironment(stateFolder), readable: [stores], writable: [] }),
    });
  } finally {
    await erase(home);
  }
}

/** Cargo reads this beside its registry; a build later needs the same. */
async function writeCargoConfig(stateFolder: string, text: string): Promise<void> {
  const folder = moduleEnvironment(stateFolder)['CARGO_HOME']!;
  await mkdir(folder, { recursive: true });
  const making = join(folder, `config.${randomUUID()}`);
  await writeFile(making, text, { mode: 0o600 });
  await rename(making, join(folder, 'config.toml'));
}
