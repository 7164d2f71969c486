/** Opens the web UI from the command line, without a run. A test program replaces the browser. */
import { execFileSync } from 'node:child_process';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isAlive, signalProcess } from '../../src/process/identity.ts';
import { type ServerInfo, serverOf } from '../../src/server/server-files.ts';
import { bin, type TestProject, testProject } from '../helpers/test-project.ts';

const SEEN = { interval: 200 };

let project: TestProject;
/** Replaces the browser: records what it was told to open. */
let browser: string;
let opened: string;
beforeEach(async () => {
  project = await testProject();
  expect((await project.dure(['init', '--yes', '--backend', 'rehearsal'])).code).toBe(0);
  browser = join(project.parentFolder, 'browser');
  opened = join(project.parentFolder, 'opened');
  await writeFile(browser, `#!/bin/sh\nprintf %s "$1" > '${opened}'\n`);
  await chmod(browser, 0o755);
});
afterEach(async () => {
  const server = await serverOf(project.files);
  if (server) await ended(server);
  await project.remove();
});

async function ended({ process: identity }: ServerInfo): Promise<void> {
  signalProcess(identity!, 'SIGTERM');
  await expect.poll(() => isAlive(identity!), SEEN).toBe(false);
}

const screen = () => ({ BROWSER: browser, CI: undefined });
/** The redirect page contains the address. */
const doorText = async (): Promise<string> => {
  await expect.poll(() => readFile(opened, 'utf8').catch(() => ''), SEEN).not.toBe('');
  return readFile(new URL(await readFile(opened, 'utf8')), 'utf8');
};

const exchange = async (address: string): Promise<number> => {
  const { origin, hash } = new URL(address);
  const response = await fetch(`${origin}/api/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin },
    body: JSON.stringify({ code: hash.slice('#code='.length) }),
  });
  return response.status;
};

describe('dure pages', () => {
  it('starts a server if there is none and prints one-time addresses', async () => {
    const first = await project.dureJson(['pages', '--port', '0']);
    expect(first.code).toBe(0);
    const address = String(first.json['address']);
    expect((await fetch(address)).status).toBe(200);
    expect(await exchange(address)).toBe(200);
    expect(await exchange(address)).not.toBe(200);
    const server = await serverOf(project.files);
    const again = await project.dureJson(['pages']);
    expect(String(again.json['address'])).toContain(`${server!.url}/#code=`);
    expect(await exchange(String(again.json['address']))).toBe(200);
    expect(await serverOf(project.files)).toEqual(server);
    const unused = String((await project.dureJson(['pages'])).json['address']);
    const fresh = await project.dureJson(['pages', '--sign-out']);
    expect(await exchange(unused)).toBe(401);
    expect(await exchange(String(fresh.json['address']))).toBe(200);
  });

  it('start says that --port applies only when no server is running', async () => {
    await project.dureJson(['pages', '--port', '0']);
    const { port, url } = (await serverOf(project.files))!;
    const start = ['start', 'a note', '--detach', '--no-browser', '--launcher', 'process', '--port'];
    const other = await project.dure([...start, String(port === 65_535 ? 1 : port + 1)]);
    expect(other.stderr).toContain(`already being served at ${url}`);
    expect((await project.dure([...start, String(port)])).stderr).not.toContain('already being served');
  });

  it('opens the page of a run in the browser', async () => {
    const { json } = await project.dureJson(['start', 'a note', '--no-browser', '--launcher', 'process']);
    const id = String(json['run_id']);
    const { code, stdout } = await project.dure(['pages', id], { env: screen() });
    expect(code).toBe(0);
    expect(stdout).toMatch(
      new RegExp(`^Pages: http://127\\.0\\.0\\.1:\\d+/run/${id}#code=\\S+\nOpened in your browser\\.\n$`),
    );
    expect(await doorText()).toContain(`/run/${id}#code=`);
    expect((await project.dureJson(['pages', 'run-20200101-000000'])).json.error?.code).toBe(
      'E_RUN_NOT_FOUND',
    );
  });
});

const hasScript = (() => {
  try {
    execFileSync('script', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

describe.skipIf(!hasScript)('dure start without a briefing (needs script(1) for a terminal)', () => {
  it('opens the page to write one', async () => {
    const said = execFileSync(
      'script',
      ['-qec', `'${process.execPath}' '${bin}' start --port 0`, '/dev/null'],
      {
        cwd: project.root,
        env: { ...project.env, ...screen(), TERM: 'xterm' } as NodeJS.ProcessEnv,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
    expect(said).toMatch(
      /Write the briefing on the page that opens: http:\/\/127\.0\.0\.1:\d+\/run\/new#code=/,
    );
    expect(await doorText()).toContain('/run/new#code=');
  });
});
