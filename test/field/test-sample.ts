/** The tests that run on every sample repository. */
import { mkdtemp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { load } from '../../src/formats/read-and-write-files.ts';
import { testOutputFile } from '../../src/formats/test-config-and-results.ts';
import { type Clone, type Field, type Followed, fieldOf } from './field-project.ts';
import type { Sample } from './sample.ts';

/** Each test is a whole run with set-up, tests and checks, some of them twice, perhaps on a busy machine. */
const LIMITS = { timeout: 900_000 };

export function testSample(sample: Sample): void {
  const title = `${sample.name}${sample.missing === null ? '' : ` (skipped: ${sample.missing})`}`;
  describe.skipIf(sample.missing !== null)(title, LIMITS, () => {
    let field: Field;
    let clone: Clone;
    beforeAll(async () => {
      field = await fieldOf(sample);
      clone = await field.clone();
    }, LIMITS.timeout);
    afterAll(() => field?.end(), LIMITS.timeout);

    test('init succeeds', () => {
      expect(clone.initiated, clone.initiated.stderr).toMatchObject({ code: 0 });
    });

    test('doctor finds no problem in a project in which a run passes', async () => {
      const { code, findings } = await examined(clone);
      expect(findings.filter(({ status }) => status === 'problem')).toEqual([]);
      expect(code).toBe(0);
      const tried = findings.filter(({ name }) => name === 'set-up' || name.startsWith('check:'));
      expect(tried.length).toBeGreaterThan(1);
      // A sample may have a test that fails on base too; a run passes despite it.
      const isRed = ({ name, seen }: (typeof tried)[number]) =>
        name.startsWith('check:') && seen.startsWith('fails on base');
      expect(tried.filter(one => one.status !== 'ok' && !isRed(one))).toEqual([]);
    });

    test('doctor reports a failing set-up that would keep a run from passing', async () => {
      const broken = await field.clone();
      await broken.dure('config', 'set', 'workspace.setup', 'exit 3');
      const { code, findings } = await examined(broken);
      const problems = findings.filter(({ status }) => status === 'problem').map(({ name }) => name);
      expect({ code, problems }).toEqual({ code: 1, problems: ['set-up'] });
      const run = await broken.run(sample.honest);
      expect(run.state, run.story).toMatchObject({ phase: 'waiting_human', waiting: { why: 'setup' } });
    });

    if (sample.sibling !== undefined)
      test("a result that breaks a sibling package does not pass, because the Verifier's test imports that package", async () => {
        const run = await clone.run({ ...sample.honest, ...sample.sibling });
        notPassed(run);
        expect(await machineOf(run), run.story).toBe('fail');
      });

    test('a result that breaks an existing test does not pass, even if all new tests pass', async () => {
      const run = await clone.run({ ...sample.honest, ...sample.breaking });
      notPassed(run);
      expect(await machineOf(run), run.story).toBe('pass');
    });

    test.each(Object.entries(sample.silenced))(
      'if a Builder breaks an existing test, and that test is %s, the result passes only with a warning',
      async (_, silenced) => {
        const run = await clone.run({ ...sample.honest, ...sample.breaking, ...silenced });
        expect(await machineOf(run), run.story).toBe('pass');
        if (run.state.phase === 'ready_for_merge')
          expect(await opening(run), run.story).toContain('**Warning: ');
      },
    );

    test('a correct change passes at the first attempt despite uncommitted edits, its pack can be checked, and it is merged', async () => {
      await clone.write(sample.uncommitted);
      const run = await clone.run(sample.honest);
      expect(run.state, run.story).toMatchObject({ phase: 'ready_for_merge', iteration: 1 });
      expect(run.state.verdict, run.story).toMatchObject({ verdict: 'PASS' });

      const empty = await mkdtemp(join(clone.beside, 'empty-'));
      // Redirect to a file, because a child's pipe from Node cannot be opened as /dev/stdout.
      const log = `${empty}.log`;
      const checked = await clone.sh(
        `sh '${join(run.files.dir, 'mrp/check.sh')}' '${empty}' > '${log}' 2>&1`,
      );
      expect(checked, await readFile(log, 'utf8')).toMatchObject({ code: 0 });

      await clone.sh('git checkout -q -- .');
      const approved = await clone.dure('approve');
      expect(approved, approved.stderr).toMatchObject({ code: 0 });
      const [path, text] = Object.entries(sample.honest)[0]!;
      expect((await clone.sh(`git show HEAD:${path}`)).stdout).toBe(text);
    });
  });
}

interface Examined {
  readonly code: number | null;
  readonly findings: readonly { readonly name: string; readonly status: string; readonly seen: string }[];
}

/** What `dure doctor` finds. */
async function examined(clone: Clone): Promise<Examined> {
  const { code, stdout } = await clone.dure('doctor', '--json');
  return { code, findings: (JSON.parse(stdout) as Examined).findings };
}

/** The run has a question for the user or is over, so there is no pack to approve. */
function notPassed({ state, story }: Followed): void {
  expect(state.phase, story).not.toBe('ready_for_merge');
  expect(state.verdict, story).not.toMatchObject({ verdict: 'PASS' });
}

/** The result of the Verifier's tests. */
async function machineOf({ files }: Followed): Promise<string | undefined> {
  return (await load(testOutputFile, files.testOutput))?.machine;
}

/** The part of a pack before the list of changes. */
async function opening({ files }: Followed): Promise<string> {
  const summary = await readFile(join(files.dir, 'mrp/summary.md'), 'utf8');
  return summary.split('\n## Changes\n')[0]!;
}
