/** A project with real `dure serve` processes and a real browser. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { type BrowserContext, chromium, type Page } from 'playwright-core';
import { onTestFinished } from 'vitest';
import type { Cassette } from '../../src/formats/cassette.ts';
import { type RunFiles, runFiles } from '../../src/formats/layout.ts';
import { distFile } from '../../src/process/package-paths-and-version.ts';
import { pageLinkTo } from '../../src/server/client/page-link.ts';
import { createProjectFolders } from '../../src/workspace/project/create-folders-and-config.ts';
import { bin, type TestProject, testProject } from '../helpers/test-project.ts';

const CHROMIUM = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
/** Why these tests cannot run here, or false. */
export const cannotRun: string | false = !existsSync(CHROMIUM)
  ? `there is no browser at ${CHROMIUM}`
  : !existsSync(distFile('ui/index.html'))
    ? 'the pages are not built'
    : false;
export const WAIT = { timeout: 180_000 };

export interface Served extends TestProject {
  /** Another `dure serve`, on any port unless arguments are given. Resolves when it leads or stands by. */
  serve(...args: string[]): Promise<Serving>;
  run(id: string): RunFiles;
}

export interface Serving {
  readonly child: ChildProcess;
  /** Address with a one-time code; null while it stands by. */
  readonly entry: string | null;
  /** Everything it printed. */
  said(): string;
  kill(signal: NodeJS.Signals): Promise<void>;
}

/** A project whose agents play `cassette`. */
export async function served(cassette: Cassette): Promise<Served> {
  const project = await testProject();
  const children: ChildProcess[] = [];
  onTestFinished(async () => {
    for (const child of children) await ended(child, 'SIGKILL');
    await project.remove();
  });
  await createProjectFolders(project.root);
  await project.write('.dure/config/global.json', JSON.stringify({ backend: 'rehearsal' }));
  await project.write('.dure/rehearsal.cassette.json', JSON.stringify(cassette));
  return {
    ...project,
    run: id => runFiles(project.files.run(id)),
    async serve(...given) {
      const args = given.length > 0 ? given : ['--port', '0'];
      const child = spawn(process.execPath, [bin, 'serve', '--no-browser', ...args], {
        cwd: project.root,
        env: project.env as NodeJS.ProcessEnv,
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      children.push(child);
      let said = '';
      // Not `exit`, which may come before the last output.
      let closed = false;
      child.once('close', () => {
        closed = true;
      });
      for (const stream of [child.stdout, child.stderr])
        stream.setEncoding('utf8').on('data', chunk => {
          said += chunk;
        });
      const until = Date.now() + WAIT.timeout;
      while (!/^Pages: |is on standby/m.test(said)) {
        if (closed || Date.now() > until) throw new Error(`it does not serve: ${said}`);
        await new Promise(resolve => setTimeout(resolve, 50));
      }
      return {
        child,
        entry: /^Pages: /m.test(said) ? ((await pageLinkTo(project.files, '/'))?.address ?? null) : null,
        said: () => said,
        kill: signal => ended(child, signal),
      };
    },
  };
}

async function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise(resolve => child.once('exit', resolve));
  child.kill(signal);
  await gone;
}

export interface Visitor {
  readonly context: BrowserContext;
  readonly page: Page;
  /** Errors in the browser, including violations of the content security policy. */
  readonly complaints: string[];
}

/** Opens the address in a new browser context and waits for the page with this title. */
export async function visit(address: string, title = "a person's project"): Promise<Visitor> {
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
  onTestFinished(() => browser.close());
  const context = await browser.newContext({ locale: 'en-GB', viewport: { width: 1280, height: 900 } });
  context.setDefaultTimeout(WAIT.timeout);
  const complaints: string[] = [];
  await context.addInitScript({
    content:
      "document.addEventListener('securitypolicyviolation', e => console.error('policy: ' + e.violatedDirective + ' ' + e.blockedURI))",
  });
  const page = await context.newPage();
  page.on('console', said => {
    if (said.type() === 'error' || said.type() === 'warning')
      complaints.push(`${said.text()} ${said.location().url}`);
  });
  page.on('pageerror', error => complaints.push(String(error)));
  await page.goto(address);
  await page.getByRole('heading', { level: 1, name: title }).waitFor();
  return { context, page, complaints };
}
