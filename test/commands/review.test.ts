/** The output of `dure review` for small, unusual and very large packs. */
import { spawn } from 'node:child_process';
import { truncate, writeFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hashPack } from '../../src/core/run/pack/pack-integrity.ts';
import { openJournal } from '../../src/core/run/run-store.ts';
import type { Evidence } from '../../src/formats/evidence.ts';
import type { CriteriaReport } from '../../src/formats/exam/criteria-report.ts';
import type { RunFiles } from '../../src/formats/layout.ts';
import { replace, replaceJson } from '../../src/formats/read-and-write-files.ts';
import { examWith } from '../helpers/sample-exam.ts';
import { bin, type TestProject, testProject } from '../helpers/test-project.ts';
import { BASE, prepareRun, READY, TREE } from './prepared-runs.ts';

const RUN = 'run-20260131-142205';
const PATCH = Buffer.from('--- a/x\n+++ b/x\n@@ -0,0 +1 @@\n+caf\xe9\r\n', 'latin1');
const evidence: Evidence = {
  tests: { total: 1, passed: 1, failed: 0, skipped: 0, coverage: null },
  files_changed: ['x'],
  decisions: [],
  iterations: 1,
  logs: {},
  run_id: RUN,
  base: BASE,
  commit: BASE,
  tree: TREE,
  laid_in: [],
  sandbox: 'bubblewrap',
  no_sandbox_because: null,
  command_inputs: [],
  tests_tree: TREE,
  test_command: 'npm test',
  test_exit_code: 0,
  test_machine: 'pass',
  test_author: 'verifier (claude)',
  checks: [],
  verdict: 'PASS',
  accepted_by_person: false,
  cost_usd: null,
  cost_complete: false,
  agents_sandbox: 'standard',
  log: '1 0123456789abcdef',
};
const REPORT: CriteriaReport = {
  run_id: RUN,
  base: BASE,
  tree: TREE,
  tests_tree: TREE,
  sha256: null,
  criteria: [],
  change: null,
};
let project: TestProject;
let files: RunFiles;

/** Records the pack as it is now. */
async function recordPack(): Promise<void> {
  const journal = await openJournal(files);
  const result = { commit: BASE, tree: TREE, cost_usd: 0.25, pack: BASE };
  const at = new Date().toISOString();
  await journal.append({ at, type: 'mrp.created', ...result, files: await hashPack(files.mrp) });
}

async function writePackFile(file: string, value: unknown): Promise<void> {
  if (typeof value === 'string' || Buffer.isBuffer(value)) await replace(file, value);
  else await replaceJson(file, value);
  await recordPack();
}

beforeAll(async () => {
  project = await testProject();
  expect((await project.dure(['init', '--yes'])).code).toBe(0);
  ({ files } = await prepareRun(project, RUN, READY));
  await replaceJson(files.evidence, evidence);
  await replaceJson(files.criteria, REPORT);
  await writePackFile(files.summary, '# Summary\n');
});
afterAll(() => project.remove());

const raw = (...args: string[]): Promise<Buffer> => {
  const child = spawn(process.execPath, [bin, ...args], {
    cwd: project.root,
    env: project.env as NodeJS.ProcessEnv,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return buffer(child.stdout);
};

describe('dure review', () => {
  it('writes the patch unchanged to a pipe, whatever its encoding', async () => {
    await writePackFile(files.patch, PATCH);
    expect(await raw('review', '--diff')).toEqual(PATCH);
    expect((await project.dureJson(['review', '--diff'])).json['patch']).toContain('+caf\ufffd');
  });

  it('with --color, marks the changed lines with letters and colours, or only with letters if NO_COLOR is set', async () => {
    await writePackFile(files.patch, PATCH);
    const change = examWith([
      {
        id: 'u1',
        file: 'x',
        lines: { first: 1, last: 1 },
        base_lines: null,
        at: 0,
        status: 'untested',
        killers: [],
      },
    ]);
    await writePackFile(files.criteria, { ...REPORT, change });
    expect((await project.dureJson(['review'])).json['lines']).toEqual([
      {
        file: 'x',
        side: 'new',
        first: 1,
        last: 1,
        defence: 'undefended',
        status: 'untested',
        tests: [],
        survived: [],
      },
    ]);
    expect(await raw('review', '--diff')).toEqual(PATCH);
    const { stdout } = await project.spawnDure(['review', '--diff', '--color']);
    expect(stdout).toContain('\u001b[31mU\u001b[39m \u001b[32m+caf');
    const plain = await project.spawnDure(['review', '--diff', '--color'], { env: { NO_COLOR: '1' } });
    expect(plain.stdout).toMatch(/^U \+caf/m);
    expect(plain.stdout).not.toContain('\u001b[');
    expect((await project.dure(['review', '--undefended'])).stdout).toBe(
      'x:1: all tests pass without these lines\n',
    );
    await writePackFile(files.criteria, REPORT);
  });

  it('when it lists undefended lines, also says how many lines were not examined', async () => {
    const unit = { file: 'x', base_lines: null, at: 0, killers: [] };
    const change = examWith([
      { ...unit, id: 'u1', lines: { first: 1, last: 1 }, status: 'untested' },
      { ...unit, id: 'u2', lines: { first: 4, last: 9 }, status: 'not-run' },
    ]);
    const notice = async () => {
      const { code, stdout, stderr } = await project.dure(['review', '--undefended']);
      return { code, listed: stdout.split('\n').length - 1, stderr: stderr.trim() };
    };
    await writePackFile(files.criteria, { ...REPORT, change: { ...change, complete: false } });
    expect(await notice()).toEqual({
      code: 0,
      listed: 1,
      stderr: 'Exam: ran out of time: 6 changed lines not examined',
    });
    await writePackFile(files.criteria, REPORT);
    expect(await notice()).toEqual({
      code: 0,
      listed: 0,
      stderr: 'The exam did not remove any changed lines, so it is not known which of them are undefended.',
    });
  });

  it('writes a patch of any size to a pipe, and omits a very large one from the JSON', async () => {
    await writeFile(files.patch, '');
    await truncate(files.patch, 300_000_000);
    await recordPack();
    expect((await project.dureJson(['review', '--diff'])).json['patch']).toBeNull();
    expect(await raw('review', '--diff')).toHaveLength(300_000_000);
  });

  it.each([[], ['--evidence']])(
    'begins with a warning if agents ran without a sandbox (flags: %j)',
    async (...flags) => {
      await writePackFile(files.evidence, { ...evidence, agents_sandbox: 'none' });
      const { stdout } = await project.dure(['review', ...flags]);
      expect(stdout.split('\n')[0]).toBe('  ! Agents: without a sandbox, with your permissions.');
      await writePackFile(files.evidence, { ...evidence, agents_sandbox: 'strict' });
      expect((await project.dure(['review', ...flags])).stdout).not.toContain('without a sandbox');
    },
  );

  it('shows the whole summary with --full', async () => {
    expect((await project.dure(['review'])).stdout).not.toContain('# Summary');
    expect((await project.dure(['review', '--full'])).stdout).toMatch(/Evidence\n[\s\S]*\n# Summary\n$/);
  });

  it('reads evidence with tens of thousands of files', async () => {
    const files_changed = Array.from({ length: 50_000 }, (_, i) => `src/${'a folder/'.repeat(8)}${i}.ts`);
    await writePackFile(files.evidence, { ...evidence, files_changed });
    const { code, stdout } = await project.dure(['review', '--evidence']);
    expect(code).toBe(0);
    expect(stdout).toContain('50000 changed');
  });

  // The last test, because it ends the run.
  it('shows the pack of a run that is over, although every decision on it is refused', async () => {
    await recordPack();
    await (await openJournal(files)).append({
      at: new Date().toISOString(),
      type: 'run.stopped',
      reason: 'enough',
    });
    expect((await project.dureJson(['review', RUN])).json).toMatchObject({ phase: 'stopped', tree: TREE });
    for (const decision of [
      ['exam', RUN],
      ['approve', RUN],
      ['reject', RUN, '--feedback', 'Be warmer.'],
      ['rebase', RUN],
    ]) {
      const { json, code } = await project.dureJson(decision);
      expect([decision[0], code, json['error']]).toMatchObject([
        decision[0],
        4,
        {
          code: 'E_RUN_OVER',
          suggestions: [expect.stringContaining(`dure review ${RUN}`), expect.anything()],
        },
      ]);
    }
  });
});
