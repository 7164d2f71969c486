/** Tries each forgery in real runs: tests in a sandbox, agents in one too, and no sandbox at all. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Move } from '../../src/formats/cassette.ts';
import { findSandbox } from '../../src/process/sandbox/find-sandbox.ts';
import { analyses, cassette, config, flag, rules } from '../e2e/agent-moves.ts';
import { scratchProject } from '../e2e/scratch-project.ts';
import { BAD, type Fate, FORGERIES, type Forgery, PACKAGE_JSON, TEST } from './test-result-forgeries.ts';

const found = await findSandbox(process.env);

let scratch: string;
let home: string;
beforeEach(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'dure-forgery-'));
  home = join(scratch, 'home');
  await mkdir(home);
  // A malicious agent writes into the home folder, so a temporary one is used.
  vi.stubEnv('HOME', home);
  vi.stubEnv('XDG_STATE_HOME', '');
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(scratch, { recursive: true, force: true, maxRetries: 20 });
});

async function fateOf(forgery: Forgery, mode: 'strict' | 'off' = 'off'): Promise<Fate> {
  const name = `limits-${basename(scratch)}`;
  const { root, start, project } = await scratchProject({
    name,
    files: {
      'package.json': PACKAGE_JSON,
      'limit.mjs': 'export const limit = n => n;\n',
      '.gitignore': 'node_modules\n',
    },
    config: {
      global: { max_iterations: 1, auto_retry: { enabled: false }, sandbox: { mode } },
    },
  });
  // The run id contains the start time, so paths of the run are filled in when its agents start.
  const places = { root, home, scratch, project: name, state: join(home, '.local', 'state', 'dure') };
  const filled = (text: string) =>
    Object.entries(places).reduce((all, [key, value]) => all.replaceAll(`{{${key}}}`, value), text);
  const move = (one: Move): Move => JSON.parse(filled(JSON.stringify(one))) as Move;
  // Agents in a sandbox do not see this folder and have their own at its path.
  const folder: Move = { sh: `mkdir -p "${scratch}/home"` };
  const inRun = {
    sh: `sed -i "s#{{run}}#$PWD#g" builder/daemon.mjs builder/output/daemon.mjs 2> /dev/null; true`,
  };
  const files = { 'limit.mjs': forgery.code ?? `${BAD}// changed\n`, ...forgery.files };
  const [first, ...others] = forgery.moves ?? [];
  const builder: Move[] = [
    folder,
    ...Object.entries(files).map(([path, text]) => ({ write: `builder/output/${path}`, text: filled(text) })),
    ...(first ? [move(first)] : []),
    inRun,
    ...others.map(move),
    ...(others.length > 0 ? [{ sh: `until test -e "${scratch}/began"; do sleep 0.05; done` }] : []),
    { write: 'builder/log.md', text: 'Wrote it.\n' },
    flag('builder/done.flag'),
  ];
  const generates: Move[] = [
    { write: 'verifier/tests/limit.test.mjs', text: TEST },
    config(forgery.command ?? 'node --test limit.test.mjs'),
    { wait: 300 },
    flag('verifier/tests-ready.flag'),
  ];
  const run = await start(
    cassette({
      builder: [builder],
      'verifier:generate': [generates],
      'verifier:analyse': [[{ wait: 300 }, ...analyses]],
      gatekeeper: [rules('PASS')],
    }),
  );
  expect(project.root).toBe(root);
  const state = await run.drive();
  expect(state.setup.sandbox?.mode ?? 'off').toBe(mode);
  if (state.phase !== 'ready_for_merge') return 'held';
  const summary = await readFile(run.files.summary, 'utf8');
  const evidence = JSON.parse(await readFile(run.files.evidence, 'utf8'));
  if (evidence.verdict !== 'PASS') return 'held';
  return summary.split('\n').slice(0, 3).join('\n').includes('changes how its tests are run')
    ? 'warned'
    : 'passed';
}

describe.skipIf(found.kind === 'none')(
  `in a sandbox${found.kind === 'none' ? ` (skipped: ${found.why})` : ''}`,
  () => {
    test.each(FORGERIES)('$id: $what: $inSandbox', async forgery => {
      expect(await fateOf(forgery)).toBe(forgery.inSandbox);
    });
  },
);

describe.skipIf(found.kind === 'none')('with agents in the strict sandbox too', () => {
  test.each(FORGERIES)('$id: $what: $inSandbox', async forgery => {
    expect(await fateOf(forgery, 'strict')).toBe(forgery.inSandbox);
  });
});

describe('without a sandbox', () => {
  beforeEach(() => vi.stubEnv('DURE_SANDBOX', 'none'));
  test.each(FORGERIES)('$id: $what: $without', async forgery => {
    expect(await fateOf(forgery)).toBe(forgery.without);
  });
});

test.each(found.kind === 'none' ? (['off'] as const) : (['off', 'strict'] as const))(
  'code that satisfies its tests passes (agent sandbox: %s)',
  async mode => {
    await writeFile(join(scratch, 'began'), '');
    const honest: Forgery = {
      id: '',
      what: '',
      inSandbox: 'passed',
      without: 'passed',
      code: 'export const limit = n => Math.min(n, 100);\n',
    };
    expect(await fateOf(honest, mode)).toBe('passed');
  },
);
