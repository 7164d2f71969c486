/** Creates scratch projects in which benchmarks measure the built program in normal use. */
import { execFile, execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  writeFileSync,
} from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const program = resolve(import.meta.dirname, '../../../bin/run.js');

/** Creates a git project with its own HOME; `programs` become Node scripts that are first on PATH. */
export function createProject({
  name = 'project',
  files = { 'README.md': '# A project\n' },
  programs = {},
} = {}) {
  const top = mkdtempSync(join(tmpdir(), 'dure-bench-'));
  const [root, home, bin] = [name, 'home', 'bin'].map(folder => join(top, folder));
  for (const dir of [root, home, bin]) mkdirSync(dir);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  for (const [name, source] of Object.entries(programs)) {
    writeFileSync(join(bin, name), `#!${process.execPath}\n${source}`);
    chmodSync(join(bin, name), 0o755);
  }
  const env = {
    PATH: [bin, dirname(process.execPath), process.env.PATH].join(delimiter),
    HOME: home,
    LANG: 'C.UTF-8',
    IS_SANDBOX: '1',
  };
  const git = (...args) => execFileSync('git', args, { cwd: root, env });
  // Dure also commits under this name when it merges.
  git('config', '--global', 'user.name', 'Ann');
  git('config', '--global', 'user.email', 'ann@example.org');
  git('init', '--quiet', '--initial-branch=main');
  git('add', '--all');
  git('commit', '--quiet', '--allow-empty', '-m', 'first');

  return {
    root,
    env,
    /** Runs a Dure command and returns its output. Any exit status not in `accepted` is an error. */
    dure: (args, accepted = [0], more = {}) =>
      new Promise((done, fail) => {
        const options = { cwd: root, env: { ...env, ...more } };
        execFile(process.execPath, [program, ...args], options, (error, stdout, stderr) => {
          if (error && !accepted.includes(error.code))
            fail(new Error(`dure ${args[0]}: ${stderr || stdout || error.message}`));
          else done(stdout);
        });
      }),
    /** Ends all processes of the project, and removes it. */
    async remove() {
      await waitUntil('all has ended', () => processesIn(top).filter(kill).length === 0);
      await rm(top, { recursive: true, force: true, maxRetries: 20 });
    },
  };
}

/**
 * Finds processes whose working directory is in a folder: drivers, runners, agents. Without /proc, it finds none, and
 * they are left to exit on their own.
 */
const processesIn = folder =>
  (existsSync('/proc/self') ? readdirSync('/proc') : [])
    .filter(name => /^\d+$/.test(name))
    .filter(pid => {
      try {
        return readlinkSync(`/proc/${pid}/cwd`).startsWith(`${folder}/`);
      } catch {
        return false;
      }
    })
    .map(Number);

function kill(pid) {
  try {
    return process.kill(pid, 'SIGKILL');
  } catch {
    return false;
  }
}

/**
 * Starts a server for the project in `root`. Returns its process, its address and token, and a function that
 * returns a link to a page.
 */
export async function serve({ root, env }) {
  const child = spawn(process.execPath, [program, 'serve', '--no-browser', '--port', '0'], {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', text => {
    output += text;
  });
  await waitUntil('the pages', () => /^Pages: /m.test(output));
  const { url, token } = JSON.parse(readFileSync(join(root, '.dure/server/server.json'), 'utf8'));
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  return {
    child,
    url,
    token,
    async linkTo(page) {
      const answer = await fetch(`${url}/api/session/code`, { method: 'POST', headers, body: '{}' });
      return `${url}${page}#code=${(await answer.json()).code}`;
    },
    end: (signal = 'SIGTERM') =>
      new Promise(done => {
        child.once('exit', done);
        child.kill(signal);
      }),
  };
}

/** Calls `poll` until it returns a result; throws after `within` milliseconds. */
export async function waitUntil(what, poll, { within = 60_000, every = 20 } = {}) {
  const until = Date.now() + within;
  for (;;) {
    const found = await poll();
    if (found) return found;
    if (Date.now() > until) throw new Error(`not within ${within / 1000} s: ${what}`);
    await pause(every);
  }
}
