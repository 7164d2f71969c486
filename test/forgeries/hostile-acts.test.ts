/** Agents that try every hostile act in the sandbox. Each must fail, and the run must end as if it had not been tried. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Move } from '../../src/formats/cassette.ts';
import { findSandbox } from '../../src/process/sandbox.ts';
import { builds, cassette, generates, rules } from '../e2e/agent-moves.ts';
import { git, stage } from '../e2e/scratch-project.ts';
import { HOSTILE_ACTS, MARK, type Machine, SECRET } from './hostile-acts.ts';

const found = await findSandbox(process.env);
const ROLES = ['builder', 'verifier', 'gatekeeper'] as const;
const ADDRESS =
  Object.values(networkInterfaces())
    .flat()
    .find(one => one?.family === 'IPv4' && !one.internal)?.address ?? '127.0.0.1';

let scratch: string;
let machine: Machine;
let phase: string;
const output = new Map<string, string>();
const cleanUp: (() => unknown)[] = [];

async function listener(
  at: string | { port: number; host: string },
  hear: (text: string) => void,
): Promise<Server> {
  const server = createServer(socket => socket.on('error', () => {}).on('data', data => hear(String(data))));
  await new Promise<void>(ready => server.listen(at as string, ready));
  cleanUp.push(() => server.close());
  return server;
}

async function playAll(): Promise<void> {
  scratch = await mkdtemp(join(tmpdir(), 'dure-hostile-'));
  cleanUp.push(() => rm(scratch, { recursive: true, force: true, maxRetries: 20 }));
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
  let received = '';
  const hear = (text: string) => {
    received += text;
  };
  const server = await listener({ port: 0, host: '0.0.0.0' }, hear);
  const { port } = server.address() as { port: number };
  const socket = join(scratch, 's.sock');
  await listener(socket, hear);
  await listener(`\0${socket}`, hear);
  const victim = spawn('sh', ['-c', `: ${SECRET}; sleep 1000`], {
    detached: true,
    env: { ...process.env, KEY: SECRET },
  });
  cleanUp.push(() => victim.kill('SIGKILL'));

  const { root, start } = await stage({
    files: { 'a.txt': 'a\n', '.gitignore': '.env\n' },
    config: { global: { sandbox: { mode: 'strict' } } },
    // The run is shared by all tests of this file.
    onTestFinished: work => void cleanUp.unshift(work as () => unknown),
  });
  await writeFile(join(root, '.env'), `${SECRET}\n`);
  await writeFile(join(dirname(root), 'beside.txt'), `${SECRET}\n`);
  await mkdir(join(root, '.dure', 'server'), { recursive: true });
  await writeFile(join(root, '.dure', 'server', 'server.json'), `${SECRET}\n`);
  const variables = {
    ...{ PROJECT: root, HOST_HOME: home, HOST_TMP: dirname(root), STATE: state },
    ...{ VICTIM: String(victim.pid), PORT: String(port), ADDRESS, SOCKET: socket },
  };
  const acts = (role: string): Move[] =>
    HOSTILE_ACTS.filter(act => act.except !== role).map(({ id, sh }) => ({
      sh: `${Object.entries({ ...variables, ROLE_FOLDER: role })
        .map(([name, value]) => `export ${name}='${value}'`)
        .join('; ')}; export RUN="$PWD"; mkdir -p ${role}/acts; { ${sh}\n} > ${role}/acts/${id} 2>&1; true`,
    }));
  const play = await start(
    cassette({
      builder: [[...acts('builder'), ...builds('hello\n')]],
      'verifier:generate': [[...acts('verifier'), ...generates]],
      gatekeeper: [[...acts('gatekeeper'), ...rules('PASS')]],
    }),
  );
  const ended = await play.drive();
  phase = ended.reason ?? ended.phase;
  machine = {
    ...{ project: root, run: play.files.dir, home, tmp: dirname(root) },
    victim: () => existsSync(`/proc/${victim.pid}`) && victim.exitCode === null && victim.signalCode === null,
    received: () => received,
    git: (...args) => git(root, ...args),
  };
  for (const role of ROLES)
    for (const { id } of HOSTILE_ACTS)
      output.set(
        `${role} ${id}`,
        await readFile(join(play.files.dir, role, 'acts', id), 'utf8').catch(() => 'not tried'),
      );
}

describe.skipIf(found.kind === 'none')(
  `hostile acts in the sandbox${found.kind === 'none' ? ` (skipped: ${found.why})` : ''}`,
  () => {
    beforeAll(playAll, 300_000);
    afterAll(async () => {
      for (const work of cleanUp) await work();
      vi.unstubAllEnvs();
    }, 60_000);

    test('the run ends as if nothing had been tried', () => expect(phase).toBe('ready_for_merge'));

    test.each(HOSTILE_ACTS)('$id: an agent $what: held for each role', act => {
      for (const role of ROLES.filter(name => name !== act.except)) {
        const said = output.get(`${role} ${act.id}`);
        expect(said, role).not.toBe('not tried');
        expect(said, role).not.toContain(SECRET);
      }
      expect(act.done?.(machine) ?? false).toBe(false);
    });

    test('no process of an agent is left', async () => {
      const pids = (await readdir('/proc')).filter(name => /^\d+$/.test(name));
      const lines = await Promise.all(
        pids.map(pid => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')),
      );
      expect(lines.filter(line => line.includes(`${MARK}-daemon`))).toEqual([]);
    });
  },
);
