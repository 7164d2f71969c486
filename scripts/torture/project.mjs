/** Creates a project for one run, on its own disk if one can be mounted. */
import { execFile, execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { mount, unmount } from './available-faults.mjs';
import { cassetteOf } from './cassette.mjs';
import { cutPower } from './processes.mjs';

const program = resolve(import.meta.dirname, '../../bin/run.js');
/** Time limit (ms) of one command, which may wait for a disk. */
const COMMAND_MS = 60_000;

export const NOTE = 'The note of a person.\n';

export function createProject(base, name, means, random) {
  const top = join(base, name);
  mkdirSync(top);
  const onDisk = means.disk && mount(top);
  const [root, home, tmp, outside] = ['project', 'home', 'tmp', '../outside'].map(dir => join(top, dir));
  for (const dir of [root, home, tmp]) mkdirSync(dir);
  mkdirSync(outside, { recursive: true });
  const [rates, clock, ledger, log] = ['rates', 'clock', 'ledger', 'log'].map(file =>
    join(outside, `${name}.${file}`),
  );
  writeFileSync(rates, Buffer.alloc(8));
  writeFileSync(clock, Buffer.alloc(8));
  writeFileSync(ledger, '');
  const plain = {
    PATH: [dirname(process.execPath), process.env.PATH].join(':'),
    HOME: home,
    TMPDIR: tmp,
    LANG: 'C.UTF-8',
    IS_SANDBOX: '1',
  };
  const preload = [means.failing, means.clock].filter(Boolean).join(':');
  const env = {
    ...plain,
    ...(preload && { LD_PRELOAD: preload, TORTURE_RATES: rates, TORTURE_DIR: top, TORTURE_CLOCK: clock }),
  };
  const git = (...args) => execFileSync('git', args, { cwd: root, env: plain, encoding: 'utf8' }).trimEnd();
  writeFileSync(join(root, 'README.md'), '# A project\n');
  git('config', '--global', 'user.name', 'Ann');
  git('config', '--global', 'user.email', 'ann@example.org');
  git('init', '--quiet', '--initial-branch=main');
  git('add', '--all');
  git('commit', '--quiet', '-m', 'first');
  writeFileSync(join(root, 'note.txt'), NOTE);
  const runs = join(root, '.dure/runs');

  return {
    name,
    top,
    root,
    home,
    rates,
    clock,
    runs,
    git,
    onDisk,
    ledger,
    log,
    /** Returns the exit status and the output of a command, even if it fails. */
    dure: (...args) =>
      new Promise(done => {
        const options = { cwd: root, env, timeout: COMMAND_MS, killSignal: 'SIGKILL' };
        execFile(process.execPath, [program, ...args], options, (error, stdout, stderr) => {
          const code = error ? (error.code ?? 1) : 0;
          appendFileSync(log, `$ dure ${args.join(' ')}\n${stdout}${stderr}[${code}]\n`);
          done({ code, stdout, stderr });
        });
      }),
    playCassette: () =>
      writeFileSync(join(root, '.dure/rehearsal.cassette.json'), JSON.stringify(cassetteOf(ledger, random))),
    runIds: () => {
      try {
        return readdirSync(runs).filter(entry => entry.startsWith('run-'));
      } catch {
        return [];
      }
    },
    async remove() {
      await cutPower(home);
      for (let tries = 0; onDisk && tries < 20 && !unmount(top); tries += 1) await pause(100);
      await rm(top, { recursive: true, force: true, maxRetries: 20 });
    },
  };
}
