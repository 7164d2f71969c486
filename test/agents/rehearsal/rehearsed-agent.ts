/** A run folder and a rehearsed agent, started the way the runner starts it: with the backend's argv. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { rehearsal } from '../../../src/agents/backends/rehearsal.ts';
import type { Move } from '../../../src/formats/cassette.ts';
import type { ExitRecord } from '../../../src/formats/launch.ts';
import { runFiles } from '../../../src/formats/layout.ts';

export const RUN = 'run-20260131-142233';
export interface Block {
  readonly type: string;
  readonly text: string;
  readonly name: string;
  readonly input: unknown;
  readonly content: string;
  readonly id: string;
  readonly tool_use_id: string;
  readonly is_error: boolean;
}
/** The keys of events that tests access. */
export interface Event {
  readonly type: string;
  readonly subtype: string;
  readonly session_id: string;
  readonly message?: { readonly content: readonly Block[] };
  readonly response: unknown;
  readonly total_cost_usd: number;
  readonly terminal_reason: string;
  readonly deferred_tool_use: { readonly input: unknown };
}

export interface Asked {
  readonly role?: string;
  readonly mode?: string;
  readonly part?: number;
  readonly launch?: number;
  readonly cassette?: string | null;
  readonly resume?: { session: string; answer: string };
}

export async function makeStage() {
  const project = await realpath(await mkdtemp(join(tmpdir(), 'dure-rehearse-')));
  const files = runFiles(join(project, '.dure', 'runs', RUN));
  await mkdir(files.worktree, { recursive: true });
  const atWork = new Set<ChildProcess>();
  onTestFinished(async () => {
    for (const child of atWork) child.kill('SIGKILL');
    await rm(project, { recursive: true, force: true, maxRetries: 20 });
  });

  const start = (asked: Asked = {}) => {
    const { role = 'builder', mode = 'build', part = 1, launch = 1, cassette = null, resume = null } = asked;
    const { argv, session } = rehearsal.start({
      role,
      mode,
      part,
      launch,
      cassette,
      resume,
      model: 'sonnet',
      runDir: files.dir,
      cwd: files.dir,
      bypass: false,
      budget_usd: null,
      env: {},
      mcp_servers: {},
    });
    const env = { PATH: process.env['PATH'], HOME: project, LANG: 'C.UTF-8' };
    const child = spawn(argv[0]!, argv.slice(1), { cwd: files.dir, env, stdio: 'pipe' });
    atWork.add(child);
    let [out, err] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      out += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      err += text;
    });
    const closed = once(child, 'close') as Promise<[code: number | null, signal: string | null]>;
    return {
      child,
      session: session!,
      out: () => out,
      /** Sends input the way the runner does: a prompt or a control request. */
      tell: (value: unknown) => child.stdin.write(`${JSON.stringify(value)}\n`),
      async ended() {
        child.stdin.end();
        const [code, signal] = await closed;
        const events = out
          .split('\n')
          .flatMap((line): Event[] => (line.startsWith('{') ? [JSON.parse(line)] : []));
        const blocks = events.flatMap(e => e.message?.content ?? []);
        return {
          out,
          err,
          code,
          signal,
          events,
          results: events.filter(e => e.type === 'result'),
          said: blocks.filter(b => b.type === 'text').map(b => b.text),
          used: blocks.filter(b => b.type === 'tool_use'),
          told: blocks.filter(b => b.type === 'tool_result'),
        };
      },
    };
  };

  const put = async (path: string, text: string): Promise<string> => {
    const file = join(files.dir, path);
    await mkdir(join(file, '..'), { recursive: true });
    await writeFile(file, text);
    return file;
  };

  return {
    project,
    files,
    start,
    rehearse: (asked: Asked = {}) => start(asked).ended(),
    /** A cassette with one part for the builder. */
    async cassette(...moves: Move[]): Promise<string> {
      const file = join(project, 'test.cassette.json');
      await writeFile(file, JSON.stringify({ title: 'a test', parts: { builder: [moves] } }));
      return file;
    },
    read: (path: string) => readFile(join(files.dir, path), 'utf8'),
    put,
    /** The exit record of a launch that ended with a question. */
    deferred(launch: number, session: string): Promise<string> {
      const exit: ExitRecord = {
        launch,
        session,
        code: 0,
        signal: null,
        outcome: 'deferred',
        kind: null,
        message: '',
        retry_at: null,
        question: {},
        usage: null,
        session_cost_usd: null,
        ended_at: '2026-01-31T14:22:33Z',
        token: 'token',
      };
      return put(`launches/${launch}.exit.json`, JSON.stringify(exit));
    },
  };
}
