/** A project in which the built `dure` is called as a user would call it, with the real `claude` and a loopback API. */
import { execFile, execFileSync } from 'node:child_process';
import { readdirSync, readlinkSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import type { RunEvent } from '../../src/formats/events/events.ts';
import { parseLog } from '../../src/formats/events/parse-event-log.ts';
import { type Claim, claimFile } from '../../src/formats/launch.ts';
import { projectFiles, type RunFiles, runFiles } from '../../src/formats/layout.ts';
import { load } from '../../src/formats/read-and-write-files.ts';
import { packageRoot } from '../../src/process/package-paths-and-version.ts';
import { writeFiles } from '../helpers/git-repositories.ts';
import type { MessagesApi } from './fake-messages-api.ts';
import { claudeBin } from './install-claude.ts';

export interface CommandOutput {
  readonly code: number;
  readonly json: Record<string, unknown>;
}

export interface Project {
  readonly root: string;
  git(...args: string[]): string;
  /** Runs a Dure command to completion. */
  dure(...args: string[]): Promise<CommandOutput>;
  /** Starts a run and waits until it needs the user. */
  start(...flags: string[]): Promise<CommandOutput & { readonly files: RunFiles }>;
}

const MODELS = ['refiner', 'builder', 'verifier', 'gatekeeper'];

/** `extraEnv` is added to the environment of every command, `files` to the first commit. */
export async function createProject(
  api: MessagesApi,
  extraEnv: Record<string, string> = {},
  files: Record<string, string> = {},
): Promise<Project> {
  const top = await mkdtemp(join(tmpdir(), 'dure-contract-'));
  const [root, home] = [join(top, 'project'), join(top, 'home')];
  await mkdir(root);
  await mkdir(home);
  const env = {
    PATH: [claudeBin, dirname(process.execPath), process.env['PATH'] ?? ''].join(':'),
    HOME: home,
    LANG: 'C.UTF-8',
    IS_SANDBOX: '1',
    ANTHROPIC_API_KEY: 'sk-ant-loopback',
    ANTHROPIC_BASE_URL: api.url,
    ...extraEnv,
  };
  const git = (...args: string[]): string =>
    execFileSync('git', ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.org', ...args], {
      cwd: root,
      env,
      encoding: 'utf8',
    }).trimEnd();
  onTestFinished(async () => {
    await killProcessesIn(top);
    await rm(top, { recursive: true, force: true, maxRetries: 20 });
  }, 120_000);

  await writeFiles(root, { 'README.md': '# A project\n', ...files });
  git('init', '--quiet', '--initial-branch=main');
  git('config', 'user.name', 'Ann');
  git('config', 'user.email', 'ann@example.org');
  git('add', '--all');
  git('commit', '--quiet', '-m', 'first');

  const dure: Project['dure'] = (...args) =>
    new Promise((resolve, reject) => {
      const argv = [join(packageRoot, 'bin/run.js'), ...args, '--json'];
      execFile(process.execPath, argv, { cwd: root, env }, (error, stdout, stderr) => {
        try {
          resolve({ code: Number(error?.code ?? 0), json: JSON.parse(stdout) as CommandOutput['json'] });
        } catch {
          reject(new Error(`dure ${args.join(' ')} said no JSON:\n${stdout}\n${stderr}`));
        }
      });
    });
  await dure('init', '--yes');
  for (const role of MODELS)
    await writeFile(projectFiles(root).configOf(role), JSON.stringify({ model: 'haiku' }));
  return {
    root,
    git,
    dure,
    async start(...flags) {
      const args = [
        'start',
        'Write greeting.txt that greets.',
        '--backend',
        'claude',
        '--launcher',
        'process',
      ];
      const output = await dure(...args, '--no-browser', ...flags);
      const [run] = await readdir(projectFiles(root).runs);
      return { ...output, files: runFiles(projectFiles(root).run(run!)) };
    },
  };
}

export const eventsOf = async (files: RunFiles): Promise<RunEvent[]> =>
  parseLog(await readFile(files.events, 'utf8')).events;

export async function claimsOf(files: RunFiles): Promise<Claim[]> {
  const names = await readdir(files.launches).catch(() => [] as string[]);
  const claims = await Promise.all(
    names
      .filter(name => name.endsWith('.claim.json'))
      .map(name => load(claimFile, join(files.launches, name))),
  );
  return claims.filter(claim => claim !== null).sort((a, b) => a.launch - b.launch);
}

/** Kills all processes in a folder or below: drivers, runners, agents. */
async function killProcessesIn(folder: string): Promise<void> {
  for (;;) {
    const pids = readdirSync('/proc').filter(pid => /^\d+$/.test(pid) && isBelow(folder, pid));
    if (pids.length === 0) return;
    for (const pid of pids) {
      try {
        process.kill(Number(pid), 'SIGKILL');
      } catch {
        // Already exited.
      }
    }
    await pause(20);
  }
}

function isBelow(folder: string, pid: string): boolean {
  try {
    return readlinkSync(`/proc/${pid}/cwd`).startsWith(`${folder}/`);
  } catch {
    return false;
  }
}
