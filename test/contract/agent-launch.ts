/** A run folder with a real agent: the claude backend, the built runner, the real CLI, a clean environment. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { claude } from '../../src/agents/backends/claude.ts';
import { type Exit, exitFile, type LaunchSpec } from '../../src/formats/launch.ts';
import { runFiles } from '../../src/formats/layout.ts';
import { load } from '../../src/formats/read-and-write-files.ts';
import type { Start } from '../../src/index.ts';
import { killMarked } from '../../src/process/kill.ts';
import { distFile } from '../../src/process/package-paths-and-version.ts';
import type { MessagesApi } from './fake-messages-api.ts';
import { claudeBin } from './install-claude.ts';

export interface LaunchFolder {
  readonly runDir: string;
  readonly cwd: string;
  readonly home: string;
  /** Starts the next launch and returns while it runs. */
  launch(api: MessagesApi, more?: LaunchOptions): RunningLaunch;
  /** Runs the next launch to its end. */
  run(api: MessagesApi, more?: LaunchOptions): Promise<LaunchResult>;
  remove(): Promise<void>;
}

export interface LaunchOptions {
  readonly budget_usd?: number;
  readonly bypass?: boolean;
  readonly resume?: Start['resume'];
  readonly env?: Record<string, string>;
  readonly prompt?: string;
  readonly mcp_servers?: Start['mcp_servers'];
}

export interface RunningLaunch {
  readonly launch: number;
  readonly runner: ChildProcess;
  /** The output of the pane so far. */
  readonly screen: () => string;
  readonly ended: Promise<LaunchResult>;
}

export interface LaunchResult {
  readonly launch: number;
  readonly exit: Exit;
  readonly screen: string;
}

export function launchFolder(): LaunchFolder {
  const root = mkdtempSync(join(tmpdir(), 'dure-contract-'));
  const runDir = join(root, 'run');
  const cwd = join(root, 'work');
  const home = join(root, 'home');
  const files = runFiles(runDir);
  for (const dir of [files.launches, files.prompts, cwd, home]) mkdirSync(dir, { recursive: true });
  let launches = 0;

  const launch: LaunchFolder['launch'] = (
    api,
    { budget_usd, bypass = true, resume = null, env = {}, prompt = 'Say hello.', mcp_servers = {} } = {},
  ) => {
    launches += 1;
    const driver = {
      PATH: `${claudeBin}:${process.env['PATH'] ?? ''}`,
      HOME: home,
      LANG: 'C.UTF-8',
      IS_SANDBOX: '1',
      ANTHROPIC_API_KEY: 'sk-ant-loopback',
      ANTHROPIC_BASE_URL: api.url,
      ...env,
    };
    const start: Start = {
      role: 'builder',
      model: 'haiku',
      launch: launches,
      part: 1,
      mode: 'build',
      runDir,
      cwd,
      bypass,
      budget_usd: budget_usd ?? null,
      resume,
      cassette: null,
      mcp_servers,
      env: driver,
    };
    const started = claude.start(start);
    writeFileSync(files.promptOf('builder', launches), prompt);
    const environment = join(root, `environment-${launches}.json`);
    const values = { ...driver, ...started.env };
    writeFileSync(environment, JSON.stringify(values));
    const spec: LaunchSpec = {
      launch: launches,
      run_id: 'run-20260101-000000',
      role: 'builder',
      step: 'build',
      iteration: 1,
      backend: 'claude',
      stream: 'claude',
      argv: [...started.argv],
      cwd,
      variables: Object.keys(values),
      environment,
      checks_environment: null,
      prompt: files.promptOf('builder', launches),
      resumes: resume !== null,
      session: started.session ?? null,
      artefacts: [],
      created_at: new Date().toISOString(),
    };
    writeFileSync(files.launch(launches), JSON.stringify(spec));
    return startRunner(runDir, launches);
  };

  return {
    runDir,
    cwd,
    home,
    launch,
    run: (api, more) => launch(api, more).ended,
    async remove() {
      for (let n = 1; n <= launches; n += 1) killMarked(runDir, n);
      await rm(root, { recursive: true, force: true, maxRetries: 20 });
    },
  };
}

function startRunner(runDir: string, launch: number): RunningLaunch {
  const runner = spawn(process.execPath, [distFile('runner.cjs'), runDir, String(launch)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let screen = '';
  for (const out of [runner.stdout, runner.stderr])
    out.setEncoding('utf8').on('data', text => (screen += text));
  const ended = once(runner, 'close').then(async () => {
    const exit = await load(exitFile, runFiles(runDir).exit(launch));
    if (!exit) throw new Error(`the runner left no exit record:\n${screen}`);
    return { launch, exit, screen };
  });
  ended.catch(() => {});
  return { launch, runner, screen: () => screen, ended };
}
