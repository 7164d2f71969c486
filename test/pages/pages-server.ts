/**
 * The real server with real run folders, and a browser. Runs are created from events; requests are recorded
 * immediately, as a driver would.
 */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { hashPack } from '../../src/core/run/pack/pack-integrity.ts';
import { newRunKey } from '../../src/core/run/record/hmac-key.ts';
import { openJournal, readEvents } from '../../src/core/run/run-store.ts';
import type { RunEvent } from '../../src/formats/events/events.ts';
import { type ProjectFiles, type RunFiles, runFiles } from '../../src/formats/layout.ts';
import { replaceJson } from '../../src/formats/read-and-write-files.ts';
import { ownIdentity } from '../../src/process/identity.ts';
import type { SessionView, StartBody } from '../../src/server/http-protocol.ts';
import { HEARTBEAT_MS } from '../../src/server/sockets/socket-io-server.ts';
import { createServer, type RunningServer } from '../../src/server/web-server.ts';
import { createProjectFolders } from '../../src/workspace/project/create-folders-and-config.ts';
import { lastingPort } from '../helpers/lasting-port.ts';
import { eventsFor } from './sample-driver.ts';
import {
  BASE,
  COMMIT,
  longAgo,
  PATCH,
  QUESTION,
  story,
  TREE,
  untilAsking,
  untilBuilding,
  untilStep,
} from './sample-run.ts';

export const CHROMIUM = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
const PAGES = join(import.meta.dirname, '../../dist/ui');
/** The reason why these tests cannot run here, or false. */
export const cannotRun: string | false = !existsSync(CHROMIUM)
  ? `there is no browser at ${CHROMIUM}`
  : !existsSync(join(PAGES, 'index.html'))
    ? 'the pages are not built'
    : false;

export const READY = 'run-20261118-091502';
/** Another run that waits for review. */
export const ALSO_READY = 'run-20261119-120000';
export const ASKING = 'run-20261121-140233';
export const BUILDING = 'run-20261121-151200';
const OLD_RUNS = 30;
/** The time limit (ms) of each action of a browser that has no other limit, even on a busy machine. */
const PATIENCE_MS = 120_000;
/** As if a plugin had provided the last one. */
export const BACKENDS = ['claude', 'rehearsal', 'sample'];

const BRIEFING = `# Limit the attempts to log in

Five wrong passwords in a row must not be free.

## Done when

- [ ] the sixth attempt within a minute is refused
- [x] a right password after the pause works
`;
const SUMMARY = `# Limit the attempts to log in

A token bucket for each account stands before the password is read.

## What was done

- \`src/rate-limit.ts\`: the bucket, pure
- \`src/login.ts\`: refuses the sixth attempt

| case | result |
|---|---|
| six in a minute | refused |
| after the pause | works |

![a beacon](https://evil.example/beacon.png) <img src="https://evil.example/b.png" onerror="document.title='taken'">
[harmless?](javascript:document.title='taken')
`;
const OUTPUT = [
  ['The login reads the password first; the limit must come before it.'],
  ['Reading src/login.ts'],
  ['I add a token bucket and take from it before `verify`.'],
  ['<script>document.title = "taken over"</script><b>not bold</b> \u001b]0;taken\u0007\u001b[2147483647L'],
  ['\u001b[1mBold\u001b[22m, \u001b[2mdim\u001b[22m, \u001b[3mitalic\u001b[23m, \u001b[4munderlined'],
  [...Array(16).keys()].map(n => `\u001b[38;5;${n}mcolour ${n} \u001b[0;2;48;5;${n}mbehind ${n}\u001b[m `),
  ['\u001b[7;1;32m PASS \u001b[0m src/login.test.ts \u001b[38;2;255;255;0mbright yellow'],
]
  .map(parts => parts.join(''))
  .join('\n');
const COUNTS = { total: 42, passed: 42, failed: 0, skipped: 0 };
const LOG =
  ' ✓ verifier/tests/rate-limit.test.ts (31 tests) 412ms\n ✓ verifier/tests/login.test.ts (11 tests) 1204ms\n\n      Tests  42 passed (42)\n';

/** What a run waits for or does. */
export type RunKind = keyof typeof KINDS;
const KINDS = {
  asking: untilAsking,
  ready: (events: RunEvent[]) => events,
  building: untilBuilding,
  analysing: untilStep('analyse'),
  judging: untilStep('gate'),
};

export interface Site {
  readonly project: ProjectFiles;
  readonly url: string;
  /** A URL with a one-time code. */
  entry(): string;
  files(id: string): RunFiles;
  /** Bodies of the start requests. */
  readonly started: StartBody[];
  tell(id: string, ...events: RunEvent[]): Promise<void>;
  /** Records the pack again, after a test has changed its files. */
  recordPack(id: string): Promise<void>;
  events(id: string): Promise<RunEvent[]>;
  /** Creates another run, in which each decision is recorded with who made it. Returns its id. */
  add(kind: RunKind, base?: string): Promise<string>;
  /** A new browser profile without a session. */
  stranger(locale?: string): Promise<BrowserContext>;
  /** A new browser profile with a session created directly, because codes are rate-limited. */
  visitor(more?: Parameters<Browser['newContext']>[0]): Promise<Visitor>;
  stopServer(): Promise<void>;
  startServer(version?: string): Promise<void>;
  close(): Promise<void>;
}
export interface Visitor {
  readonly context: BrowserContext;
  readonly page: Page;
  go(path: string): Promise<void>;
  /** Problems in the browser: errors, CSP violations, and requests to other hosts. */
  readonly complaints: string[];
}

export async function openSite(): Promise<Site> {
  const beside = await realpath(await mkdtemp(join(tmpdir(), 'dure-pages-')));
  const { project } = await createProjectFolders(join(beside, 'storefront'));
  execFileSync('git', ['init', '--quiet', '--initial-branch=main', project.root]);
  const now = Date.now();
  const told = new Map<string, Promise<void>>();
  const started: StartBody[] = [];
  const files = (id: string) => runFiles(project.run(id));

  const hashes = async (id: string) =>
    existsSync(files(id).mrp) ? { files: await hashPack(files(id).mrp) } : {};

  /** Serializes the appends of all writers. */
  const record = (id: string, happened: () => Promise<RunEvent[]>): Promise<void> => {
    const next = (told.get(id) ?? Promise.resolve()).then(async () => {
      const events = await happened();
      const journal = await openJournal(files(id));
      for (const event of events)
        await journal.append(event.type === 'mrp.created' ? { ...event, ...(await hashes(id)) } : event);
    });
    told.set(id, next);
    return next;
  };
  const tell = (id: string, ...events: RunEvent[]) => record(id, async () => events);
  const begin = async (id: string, title: string, events: readonly RunEvent[]) => {
    await write(files(id).raw, BRIEFING.replace('Limit the attempts to log in', title));
    await mkdir(files(id).builder, { recursive: true });
    await replaceJson(files(id).driver, { process: ownIdentity(), since: new Date(now).toISOString() });
    const { id: key } = await newRunKey(project.root);
    await tell(id, ...events.map(event => (event.type === 'run.started' ? { ...event, key } : event)));
  };

  let added = 0;
  const add: Site['add'] = async (kind, base = BASE) => {
    added += 1;
    const id = `run-20261122-10${String(added).padStart(4, '0')}`;
    const [first, ...more] = KINDS[kind](story(id, now - 500_000));
    if (first?.type !== 'run.started') throw new Error('a run begins with run.started');
    await replaceJson(files(id).crp('crp-001'), QUESTION);
    if (kind === 'ready') await packFiles(files(id), id, now);
    const options = { ...first.options, base };
    await begin(id, `Run ${added} (${kind})`, [{ ...first, base, options }, ...more]);
    return id;
  };

  for (const id of [READY, ALSO_READY]) await packFiles(files(id), id, now);
  await begin(READY, 'Limit the attempts to log in', story(READY, now - 3_600_000));
  await begin(ALSO_READY, 'A dark theme', story(ALSO_READY, now - 7_200_000));
  await begin(
    ASKING,
    'Export the reports of a month as one archive',
    untilAsking(story(ASKING, now - 400_000)),
  );
  await replaceJson(files(ASKING).crp('crp-001'), QUESTION);
  await begin(
    BUILDING,
    'Search that forgives misspelled names',
    untilBuilding(story(BUILDING, now - 300_000)),
  );
  await write(files(BUILDING).stream('builder', 3), `${OUTPUT}\n`);
  const subjects = [
    'Dates in the local zone',
    'A dark theme',
    'Import from the old catalogue',
    'Faster start',
  ];
  for (let index = 0; index < OLD_RUNS; index += 1) {
    const id = `run-202610${String((index % 30) + 1).padStart(2, '0')}-100000`;
    const start = Date.UTC(2026, 9, (index % 30) + 1, 10);
    await begin(
      id,
      `${subjects[index % 4]} ${index + 1}`,
      longAgo(id, start, index % 5 === 2 ? 'failed' : 'stopped'),
    );
  }

  let server: RunningServer | null = null;
  let port = await lastingPort();
  const startServer = async (version = '0.1.0') => {
    server = await createServer({
      project,
      wanted: { port, by: 'person' },
      // If this process or the browser stalls for seconds, no connection may be lost.
      heartbeat: { ...HEARTBEAT_MS, pingTimeout: 120_000 },
      version,
      choices: { backend: BACKENDS, pipeline: ['full', 'quick'] },
      pages: PAGES,
      actions: {
        start: async body => {
          started.push(body);
          const id = 'run-20261121-160000';
          await begin(id, body.briefing.slice(0, 60), untilBuilding(story(id, Date.now())));
          return { runId: id };
        },
        wake: id => void record(id, () => eventsFor(files(id))),
      },
    });
    port = server.port;
  };
  await startServer();
  const session = await sessionFor(`http://127.0.0.1:${port}`, server!.newCode());
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
  const newContext = async (more: Parameters<Browser['newContext']>[0] = {}) => {
    const context = await browser.newContext({ locale: 'en-GB', ...more });
    context.setDefaultTimeout(PATIENCE_MS);
    return context;
  };
  const site: Site = {
    project,
    files,
    started,
    tell,
    recordPack: id =>
      tell(id, {
        at: new Date().toISOString(),
        type: 'mrp.created',
        commit: COMMIT,
        tree: TREE,
        cost_usd: 0.925,
        files: {},
        pack: COMMIT,
      }),
    events: id => readEvents(files(id)),
    add,
    startServer,
    get url() {
      return `http://127.0.0.1:${port}`;
    },
    entry: () => `${site.url}/#code=${server!.newCode()}`,
    stranger: (locale = 'en-GB') => newContext({ locale }),
    async visitor(more = {}) {
      const context = await newContext({ viewport: { width: 1280, height: 900 }, ...more });
      // Hides the other projects of the user who runs the tests.
      await context.route('**/api/projects', route => route.fulfill({ json: [] }));
      await context.addInitScript({ content: `sessionStorage.setItem('dure.token', '${session}')` });
      await context.addInitScript({ content: KEEPS_TOASTS });
      await context.addInitScript({
        content:
          "document.addEventListener('securitypolicyviolation', e => console.error('policy: ' + e.violatedDirective + ' ' + e.blockedURI))",
      });
      const page = await context.newPage();
      const complaints = complaintsOf(page);
      await page.goto(site.url);
      await page.getByRole('heading', { level: 1, name: 'storefront' }).waitFor();
      return {
        context,
        page,
        complaints,
        go: async path => {
          await page.goto(site.url + path);
          await page.getByRole('heading', { level: 1 }).waitFor();
        },
      };
    },
    async stopServer() {
      await server?.close();
      server = null;
    },
    async close() {
      await browser.close();
      await server?.close();
      await Promise.all(told.values());
      await rm(beside, { recursive: true, force: true, maxRetries: 20 });
    },
  };
  return site;
}

/** Keeps the text of each toast, which disappears after a few seconds: a busy machine may look later. */
const KEEPS_TOASTS = `window.toasts = [];
new MutationObserver(() => {
  const text = document.querySelector('.said')?.textContent;
  if (text && window.toasts.at(-1) !== text) window.toasts.push(text);
}).observe(document, { childList: true, subtree: true, characterData: true });`;

/** Waits until a toast with this text, in capitals or not, was shown since the page was loaded. */
export const toasted = async (page: Page, text: string): Promise<void> => {
  const has = (part: string) =>
    (globalThis as unknown as { toasts: string[] }).toasts.some(toast => toast.toLowerCase().includes(part));
  await page.waitForFunction(has, text.toLowerCase(), { timeout: 120_000 });
};

/** Collects errors, CSP violations, and requests to other hosts. */
export function complaintsOf(page: Page): string[] {
  const complaints: string[] = [];
  page.on('console', said => {
    if (said.type() === 'error' || said.type() === 'warning')
      complaints.push(`${said.text()} ${said.location().url}`);
  });
  page.on('pageerror', error => complaints.push(String(error)));
  page.on('request', request => {
    if (!/^(data|blob):/.test(request.url()) && new URL(request.url()).hostname !== '127.0.0.1')
      complaints.push(`left: ${request.url()}`);
  });
  return complaints;
}

async function sessionFor(url: string, code: string): Promise<string> {
  const answer = await fetch(`${url}/api/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code }),
  });
  return ((await answer.json()) as SessionView).token;
}

async function write(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
}

async function packFiles(files: RunFiles, id: string, now: number): Promise<void> {
  await write(files.summary, SUMMARY);
  await write(files.patch, PATCH);
  await write(files.testLog, LOG);
  await write(files.stream('builder', 8), `${OUTPUT}\n`);
  await replaceJson(files.crp('crp-001'), QUESTION);
  await write(
    files.vcr('vcr-001'),
    JSON.stringify({
      vcr_id: 'vcr-001',
      crp_id: 'crp-001',
      created_at: new Date(now).toISOString(),
      decision: 'account',
      rationale: 'Many of our users share an address.',
      applies_to_future: false,
    }),
  );
  await replaceJson(files.testOutput, {
    exit_code: 0,
    stdout: LOG,
    stderr: '',
    duration_ms: 8200,
    executed_at: new Date(now).toISOString(),
    test_results: COUNTS,
    coverage: 91.4,
    machine: 'pass',
    failures: [],
    command: 'npx vitest run verifier/tests',
    tree: TREE,
    tests_tree: BASE,
  });
  await replaceJson(files.evidence, {
    tests: { ...COUNTS, coverage: 91.4 },
    files_changed: ['src/rate-limit.ts', 'src/login.ts'],
    decisions: ['vcr-001'],
    iterations: 1,
    logs: {},
    run_id: id,
    base: BASE,
    commit: COMMIT,
    tree: TREE,
    tests_tree: BASE,
    laid_in: [],
    log: `7:${'a'.repeat(16)}`,
    agents_sandbox: 'standard',
    sandbox: 'bubblewrap',
    no_sandbox_because: null,
    command_inputs: [],
    checks: [],
    test_command: 'npx vitest run verifier/tests',
    test_exit_code: 0,
    test_machine: 'pass',
    test_author: 'verifier (claude)',
    verdict: 'PASS',
    accepted_by_person: false,
    cost_usd: 0.925,
    cost_complete: true,
  });
}
