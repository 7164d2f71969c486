import { expect, test } from 'vitest';
import { variantRunner } from '../../../src/proof/exam/variants/run-variants.ts';
import { readSealedTests } from '../../../src/workspace/read-and-commit-sealed-tests.ts';
import { project } from '../sealed-project.ts';

const FILE = 'a.mjs';

test('a failed set-up is reported for an unedited commit, but ends the exam if files were edited', async () => {
  const { job } = await project({ [FILE]: '' });
  const of = await job({ [FILE]: '1;\n' }, {}, 'true', { setup: 'exit 3' });
  const sealed = { ...of, env: { ...process.env, DURE_SANDBOX: 'none' } };
  const run = variantRunner(sealed, await readSealedTests(of.job.workspace.repository, of.job.tests_tree));
  const whole = await run({ of: 'head', edits: new Map() }, of.signal);
  expect(whole).toMatchObject({ machine: 'could-not-run', cases: [] });
  expect(whole.problem).toMatch(/^the set-up failed: /);
  const edited = run({ of: 'head', edits: new Map([[FILE, null]]) }, of.signal);
  await expect(edited).rejects.toThrow(whole.problem);
});
