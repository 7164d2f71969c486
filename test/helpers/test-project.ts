/** A temporary git project with the built `dure`, as in normal use. */
import { type ExecFileOptions, execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { driverFile } from '../../src/formats/driver.ts';
import { claimFile } from '../../src/formats/launch.ts';
import { type ProjectFiles, projectFiles, runFiles } from '../../src/formats/layout.ts';
import { load } from '../../src/formats/read-and-write-files.ts';
import { isAlive, signalProcess } from '../../src/process/identity.ts';
import { packageRoot } from '../../src/process/package-paths-and-version.ts';
import { checkOutput } from './check-json-output.ts';
import { endTmux } from './end-tmux.ts';
import { runInProcess } from './run-in-process.ts';

export interface CommandResult {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

/** The output of `--json`; each test uses only some of its keys. */
export interface JsonOutput {
  ok: boolean;
  version: number;
  error?: { code: string; message: string; exit: number; suggestions: string[] };
  [key: string]: unknown;
}

export interface RunOptions {
  input?: string;
  cwd?: string;
  env?: Record<string, string | undefined>;
}

export const bin: string = join(packageRoot, 'bin/run.js');

export interface TestProject {
  readonly root: string;
  readonly files: ProjectFiles;
  /** A folder outside the project that is removed with it. */
  readonly parentFolder: string;
  readonly env: Record<string, string | undefined>;
  git(...args: string[]): Promise<string>;
  write(path: string, text: string): Promise<void>;
  /** Runs a command of the built program in this process. Standard input is `input`, or empty. */
  dure(args: readonly string[], options?: RunOptions): Promise<CommandResult>;
  /** Like `dure`, in a separate process. */
  spawnDure(args: readonly string[], options?: RunOptions): Promise<CommandResult>;
  /** Like `dure`, with `--json`; standard output is parsed as one JSON value and validated. */
  dureJson(args: readonly string[], options?: RunOptions): Promise<CommandResult & { json: JsonOutput }>;
  remove(): Promise<void>;
}

/** `files` are written and committed. The folder's name contains a space and a quote. */
export async function testProject(
  files: Record<string, string> = { 'README.md': '# A project\n' },
): Promise<TestProject> {
  const parentFolder = await realpath(await mkdtemp(join(tmpdir(), 'dure-test-')));
  const root = join(parentFolder, "a person's project");
  await mkdir(root);
  const env: Record<string, string | undefined> = {
    ...process.env,
    HOME: join(parentFolder, 'home'),
    XDG_CONFIG_HOME: undefined,
    XDG_DATA_HOME: undefined,
    XDG_CACHE_HOME: undefined,
    XDG_STATE_HOME: undefined,
    NODE_ENV: undefined,
    NODE_OPTIONS: undefined,
    VITEST: undefined,
    NO_COLOR: undefined,
    FORCE_COLOR: undefined,
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_AUTHOR_NAME: 'A Person',
    GIT_AUTHOR_EMAIL: 'person@example.com',
    GIT_COMMITTER_NAME: 'A Person',
    GIT_COMMITTER_EMAIL: 'person@example.com',
  };
  await mkdir(env['HOME']!);
  const project: TestProject = {
    root,
    files: projectFiles(root),
    parentFolder,
    env,
    git: async (...args) => (await exec('git', args, { cwd: root, env })).stdout,
    async write(path, text) {
      await mkdir(dirname(join(root, path)), { recursive: true });
      await writeFile(join(root, path), text);
    },
    dure: (args, { cwd = root, input = '', ...options } = {}) =>
      runInProcess({ args, cwd, input, env: { ...env, ...options.env } }),
    spawnDure: (args, options = {}) =>
      spawnCommand([bin, ...args], { cwd: root, ...options, env: { ...env, ...options.env } }),
    async dureJson(args, options) {
      const result = await project.dure([...args, '--json'], options);
      let json: JsonOutput;
      try {
        json = JSON.parse(result.stdout);
      } catch (error) {
        throw new Error(`not one JSON value: ${result.stdout}\n${result.stderr}`, { cause: error });
      }
      checkOutput(args, json);
      return { ...result, json };
    },
    async remove() {
      for (const below of await projectsIn(parentFolder)) {
        await endProcesses(projectFiles(below));
        await endTmux(below);
      }
      await rm(parentFolder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    },
  };
  await project.git('init', '-q', '-b', 'main');
  for (const [path, text] of Object.entries(files)) await project.write(path, text);
  await project.git('add', '-A');
  await project.git('commit', '-qm', 'A beginning', '--allow-empty');
  return project;
}

/** The project itself and others created by commands: each has its own driver and tmux server. */
async function projectsIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  return entries
    .filter(entry => entry.isDirectory())
    .map(entry => join(folder, entry.name))
    .filter(root => existsSync(projectFiles(root).dure));
}

/**
 * Drivers and runners outlive the command that started them, but must not outlive a failed test. When this returns,
 * no driver is left: a killed driver counts as alive until the kernel has ended it.
 */
export async function endProcesses(files: ProjectFiles): Promise<void> {
  for (const id of await readdir(files.runs).catch(() => [] as string[])) {
    const run = runFiles(files.run(id));
    const driver = await load(driverFile, run.driver).catch(() => null);
    if (driver) {
      signalProcess(driver.process, 'SIGKILL');
      while (isAlive(driver.process)) await pause(10);
    }
    for (const name of await readdir(run.launches).catch(() => [] as string[])) {
      if (!name.endsWith('.claim.json')) continue;
      const claim = await load(claimFile, join(run.launches, name)).catch(() => null);
      if (claim) signalProcess(claim.runner, 'SIGTERM');
    }
  }
}

const exec = (program: string, args: readonly string[], options: ExecFileOptions) =>
  new Promise<{ stdout: string }>((resolve, reject) => {
    execFile(program, args, { ...options, encoding: 'utf8' }, (error, stdout, stderr) => {
      if (error) reject(new Error(`${program} ${args.join(' ')}: ${stderr}`, { cause: error }));
      else resolve({ stdout: String(stdout) });
    });
  });

function spawnCommand(argv: readonly string[], options: RunOptions): Promise<CommandResult> {
  const child = spawn(process.execPath, argv, {
    cwd: options.cwd,
    env: options.env as NodeJS.ProcessEnv,
    stdio: 'pipe',
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', chunk => {
    stdout += chunk;
  });
  child.stderr.setEncoding('utf8').on('data', chunk => {
    stderr += chunk;
  });
  // A command that does not read its input closes it.
  child.stdin.on('error', () => {});
  child.stdin.end(options.input ?? '');
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => resolve({ code, signal, stdout, stderr }));
  });
}
