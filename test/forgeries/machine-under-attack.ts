/** A machine with secrets, servers and a process of the user, on which agents try hostile acts. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { vi } from 'vitest';
import { DureError } from '../../src/errors.ts';
import type { Move } from '../../src/formats/cassette.ts';
import type { RunState } from '../../src/formats/state.ts';
import { builds, cassette, flag, generates, rules } from '../e2e/agent-moves.ts';
import { scratchProject, type TestRun } from '../e2e/scratch-project.ts';
import { git } from '../helpers/git-repositories.ts';
import { type HostileAct, type Machine, SECRET, SYSTEM_FILE } from './hostile-acts.ts';

export const ROLES = ['builder', 'verifier', 'gatekeeper'] as const;
export type HostileRole = (typeof ROLES)[number];

const ADDRESS =
  Object.values(networkInterfaces())
    .flat()
    .find(one => one?.family === 'IPv4' && !one.internal)?.address ?? '127.0.0.1';

export interface Tried {
  readonly run: TestRun;
  readonly phase: string;
  readonly machine: Machine;
  /** What an act printed; null if it was not tried. */
  readonly output: (role: HostileRole, id: string) => Promise<string | null>;
}

/** Plays a run in which each role tries its acts. */
export type TryActs = (
  mode: 'strict' | 'off',
  acts: Partial<Record<HostileRole, readonly HostileAct[]>>,
) => Promise<Tried>;

/** The phase in which a run rests, or the code of the error that stopped it. */
export const phaseOf = (driven: Promise<RunState>): Promise<string> =>
  driven.then(
    state => state.phase,
    (error: unknown) => {
      if (error instanceof DureError) return error.code;
      throw error;
    },
  );

/** `later` receives the work to be done at the end. */
export async function machineUnderAttack(later: (work: () => unknown) => void): Promise<TryActs> {
  const scratch = await mkdtemp(join(tmpdir(), 'dure-hostile-'));
  later(() => rm(scratch, { recursive: true, force: true, maxRetries: 20 }));
  later(() => rm(SYSTEM_FILE, { force: true }));
  const home = join(scratch, 'home');
  const state = join(scratch, 'state');
  for (const [path, text] of Object.entries({
    '.ssh/id_test': SECRET,
    '.config/other/token': SECRET,
    '.bashrc': '# mine\n',
  })) {
    await mkdir(dirname(join(home, path)), { recursive: true });
    await writeFile(join(home, path), `${text}\n`);
  }
  vi.stubEnv('HOME', home);
  vi.stubEnv('XDG_STATE_HOME', state);
  vi.stubEnv('UNLISTED', SECRET);
  later(() => vi.unstubAllEnvs());
  let received = '';
  const listener = async (at: string | { port: number; host: string }): Promise<Server> => {
    const server = createServer(socket =>
      socket
        .on('error', () => {})
        .on('data', data => {
          received += String(data);
        }),
    );
    await new Promise<void>(ready => server.listen(at as string, ready));
    later(() => server.close());
    return server;
  };
  const { port } = (await listener({ port: 0, host: '0.0.0.0' })).address() as { port: number };
  const socket = join(scratch, 's.sock');
  await listener(socket);
  await listener(`\0${socket}`);
  const victim = spawn('sh', ['-c', `: ${SECRET}; sleep 100000`], {
    detached: true,
    env: { ...process.env, KEY: SECRET },
  });
  later(() => {
    try {
      process.kill(-victim.pid!, 'SIGKILL');
    } catch {
      // One of the acts has ended it.
    }
  });

  return async (mode, acts) => {
    const { root, start } = await scratchProject({
      files: { 'a.txt': 'a\n', '.gitignore': '.env\n' },
      config: { global: { sandbox: { mode }, max_iterations: 1, auto_retry: { enabled: false } } },
      // The run may be shared by all tests of a file.
      onTestFinished: work => later(work as () => unknown),
    });
    git(root, 'remote', 'add', 'origin', `https://x:${SECRET}@localhost/x.git`);
    git(root, 'config', 'http.https://localhost/.extraHeader', `Authorization: Basic ${SECRET}`);
    await writeFile(join(root, '.env'), `${SECRET}\n`);
    await writeFile(join(dirname(root), 'beside.txt'), `${SECRET}\n`);
    await mkdir(join(root, '.dure', 'server'), { recursive: true });
    await writeFile(join(root, '.dure', 'server', 'server.json'), `${SECRET}\n`);
    const variables = {
      PROJECT: root,
      HOST_HOME: home,
      HOST_TMP: dirname(root),
      STATE: state,
      VICTIM: String(victim.pid),
      PORT: String(port),
      ADDRESS,
      SOCKET: socket,
    };
    const moves = (role: HostileRole): Move[] =>
      (acts[role] ?? []).map(({ id, sh }) => ({
        sh: `${Object.entries({ ...variables, ROLE_FOLDER: role })
          .map(([name, value]) => `export ${name}='${value}'`)
          .join('; ')}; export RUN="$PWD"; mkdir -p ${role}/acts; { ${sh}\n} > ${role}/acts/${id} 2>&1; true`,
      }));
    const run = await start(
      cassette({
        builder: [[...builds('hello\n').slice(0, -1), ...moves('builder'), flag('builder/done.flag')]],
        'verifier:generate': [
          [...generates.slice(0, -1), ...moves('verifier'), flag('verifier/tests-ready.flag')],
        ],
        gatekeeper: [[...moves('gatekeeper'), ...rules('PASS')]],
      }),
    );
    const phase = await phaseOf(run.drive());
    return {
      run,
      phase,
      machine: {
        project: root,
        run: run.files.dir,
        home,
        tmp: dirname(root),
        victim: () =>
          existsSync(`/proc/${victim.pid}`) && victim.exitCode === null && victim.signalCode === null,
        received: () => received,
        git: (...args) => git(root, ...args),
      },
      output: (role, id) => readFile(join(run.files.dir, role, 'acts', id), 'utf8').catch(() => null),
    };
  };
}
