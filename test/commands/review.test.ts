/** The output of `dure review` for small, unusual and very large packs. */
import { spawn } from 'node:child_process';
import { truncate, writeFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { replace, replaceJson } from '../../src/formats/file.ts';
import type { RunFiles } from '../../src/formats/layout.ts';
import type { Evidence } from '../../src/formats/mrp.ts';
import { bin, type TestProject, testProject } from '../helpers/project.ts';
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
  ...{ sandbox: 'bubblewrap', no_sandbox_because: null, command_inputs: [] },
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
};
let project: TestProject;
let files: RunFiles;

beforeAll(async () => {
  project = await testProject();
  expect((await project.dure(['init', '--yes'])).code).toBe(0);
  ({ files } = await prepareRun(project, RUN, READY));
  await replaceJson(files.evidence, evidence);
  await replace(files.summary, '# Summary\n');
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
    await replace(files.patch, PATCH);
    expect(await raw('review', '--diff')).toEqual(PATCH);
    expect((await project.dureJson(['review', '--diff'])).json['patch']).toContain('+caf\ufffd');
  });

  it('writes a patch of any size to a pipe, and omits a very large one from the JSON', async () => {
    await writeFile(files.patch, '');
    await truncate(files.patch, 300_000_000);
    expect((await project.dureJson(['review', '--diff'])).json['patch']).toBeNull();
    expect(await raw('review', '--diff')).toHaveLength(300_000_000);
  });

  it('reads evidence with tens of thousands of files', async () => {
    const files_changed = Array.from({ length: 50_000 }, (_, i) => `src/${'a folder/'.repeat(8)}${i}.ts`);
    await replaceJson(files.evidence, { ...evidence, files_changed });
    const { code, stdout } = await project.dure(['review', '--evidence']);
    expect(code).toBe(0);
    expect(stdout).toContain('50000 changed');
  });
});
