/** Packs with false claims: none of the claims is confirmed, and the verdict says why. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { throwUnlessProofConfirmed } from '../../src/proof/prove-pack/throw-unless-proof-confirmed.ts';
import { proveView } from '../../src/terminal/views/prove-view.ts';
import { enCli } from '../../src/words/cli/en.ts';
import {
  BASE,
  BRIEFING,
  COMMAND,
  feedbackText,
  RESULT,
  RUN,
  type Sample,
  samplePack,
  TEST,
} from '../proof/prove-pack/sample-pack.ts';

/** The limit in seconds for all runs of a pack, which normally take a few seconds. */
const PATIENT = { budget_s: 500 };

/** No process has this in its command line. A killed process remains visible until the kernel has ended it. */
const expectGone = (mark: string): Promise<void> =>
  expect.poll(() => execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' })).not.toContain(mark);

const edited = (change: (text: string) => string) => (bytes: string | Buffer | undefined) =>
  change(bytes!.toString());

describe('a pack that does not match its commits is refused, and the file is named', () => {
  const refused: Record<string, [Sample['lie'], string]> = {
    'the patch was edited': [
      ({ files }) => {
        files['changes.patch'] = edited(text => text.replace('hello', 'goodbye'))(files['changes.patch']);
      },
      'changes.patch',
    ],
    'a line was added to the patch': [
      ({ files }) => {
        files['changes.patch'] = edited(text => `Reviewed-by: Ann\n${text}`)(files['changes.patch']);
      },
      'changes.patch',
    ],
    'the tests were weakened afterwards': [
      ({ files }) => {
        files['verifier/tests/greet.test.js'] = TEST.replace("'hello Ann'", 'greet("Ann")');
      },
      'verifier',
    ],
    'a criterion was left to a person': [
      ({ criteria }) => Object.assign(criteria.criteria[0]!, { kind: 'look', status: 'look' }),
      'criteria.json',
    ],
    'a criterion became one of kind keeps': [
      ({ criteria }) => Object.assign(criteria.criteria[0]!, { kind: 'keeps' }),
      'criteria.json',
    ],
    'a criterion was softened': [
      ({ criteria }) => Object.assign(criteria.criteria[0]!, { text: 'greets' }),
      'criteria.json',
    ],
    'a criterion was dropped': [({ criteria }) => criteria.criteria.shift(), 'criteria.json'],
    'a criterion was added': [
      ({ criteria }) => criteria.criteria.push({ ...criteria.criteria[0]!, id: 'AC-3' }),
      'criteria.json',
    ],
    'a criterion was softened in the briefing too': [
      ({ criteria, files }) => {
        Object.assign(criteria.criteria[0]!, { text: 'greets' });
        files['briefing/refined.md'] =
          '## Acceptance criteria\n- AC-1: greets\n- AC-2 (look): It is friendly.\n';
      },
      'criteria.json',
    ],
    'the briefing is missing': [
      ({ files }) => {
        files['briefing/refined.md'] = 'Greet.\n';
      },
      'criteria.json',
    ],
    "a person's comment was dropped": [({ criteria }) => criteria.criteria.pop(), 'criteria.json'],
    "a person's comment was left to a person": [
      ({ criteria }) => Object.assign(criteria.criteria.at(-1)!, { kind: 'look', status: 'look' }),
      'criteria.json',
    ],
    "a person's comment was softened in its text too": [
      ({ criteria, files, evidence }) => {
        Object.assign(criteria.criteria.at(-1)!, { text: 'Greet' });
        files['feedback-001.txt'] = feedbackText('Greet', evidence.tree);
      },
      'criteria.json',
    ],
    'the text of the comment is missing': [({ files }) => delete files['feedback-001.txt'], 'criteria.json'],
    'the text of the comment is from another run': [
      ({ files }) => {
        files['feedback-001.txt'] = edited(text => text.replace(RUN, 'run-20260131-142234'))(
          files['feedback-001.txt'],
        );
      },
      'feedback-001.txt',
    ],
    'the result is from another run': [
      ({ evidence }) => Object.assign(evidence, { commit: evidence.base }),
      'evidence.json',
    ],
    'the result was amended': [
      ({ evidence }) => Object.assign(evidence, { tree: 'a'.repeat(40) }),
      'evidence.json',
    ],
    'another command is shown': [
      ({ evidence }) => Object.assign(evidence, { test_command: 'npm test' }),
      'evidence.json',
    ],
    'a changed file is not listed': [
      ({ evidence }) => Object.assign(evidence, { files_changed: [] }),
      'evidence.json',
    ],
    'the criteria are from another run': [
      ({ criteria }) => Object.assign(criteria, { run_id: 'run-20260131-142234' }),
      'criteria.json',
    ],
  };
  test.each(Object.entries(refused))('%s', async (_, [lie, file]) => {
    const { prove } = await samplePack({ feedback: ['Greet by name'], ...(lie && { lie }) });
    await expect(prove(PATIENT)).rejects.toMatchObject({
      code: 'E_PROVE_DIFFERS',
      exit: 4,
      context: { file },
    });
  });

  test.each<[string, Sample['lie'], string]>([
    ['evidence.json is not valid', ({ evidence }) => Object.assign(evidence, { base: 7 }), 'E_PROVE_PACK'],
    [
      'the base is unknown',
      ({ evidence, criteria }) => {
        evidence.base = criteria.base = 'b'.repeat(40);
      },
      'E_PROVE_BASE',
    ],
    ['no tests ran', ({ evidence }) => Object.assign(evidence, { tests_tree: null }), 'E_PROVE_NO_TESTS'],
  ])('%s', async (_, lie, code) => {
    const { prove } = await samplePack(lie ? { lie } : {});
    await expect(prove(PATIENT)).rejects.toMatchObject({ code, exit: 4 });
  });
});

const titled = (title: string, body: string): string =>
  TEST.replace(/^test\(.*$/m, `test('${title}', async () => { ${body} });`);

const PACKAGE = (test: string): string => JSON.stringify({ type: 'module', scripts: { test } });

const todo = TEST.replace(/^test\(.*$/m, "test.todo('AC-1: greets');\ntest('other', () => {});");

describe('a false claim is refuted', () => {
  test.each<[string, Sample, string]>([
    [
      'the tests fail on the result',
      { result: { 'greet.js': 'export const greet = () => "hello";\n' } },
      'its test fails on the result: AC-1: greets by name',
    ],
    [
      'the test checks nothing',
      { tests: { 'greet.test.js': titled('AC-1: greets', 'assert(true);') } },
      'its test passes without the change too',
    ],
    [
      'the test checks existing behaviour',
      { tests: { 'greet.test.js': titled('AC-1: greets', "assert.equal(typeof greet(), 'string');") } },
      'its test passes without the change too',
    ],
    [
      'the test is skipped',
      {
        tests: {
          'greet.test.js': TEST.replace('test(', 'test.skip(').replace('import test.skip(', 'import test('),
        },
      },
      'its tests are skipped',
    ],
    ['the test is marked todo', { tests: { 'greet.test.js': todo } }, 'its tests are skipped'],
    [
      'the test replaces what it tests',
      {
        tests: {
          'greet.test.js': titled(
            'AC-1: greets',
            `const { mock } = await import('node:test'); const of = { greet }; mock.method(of, 'greet', () => 'hello Ann'); assert.equal(of.greet('Ann'), 'hello Ann');`,
          ),
        },
      },
      'its test passes without the change too',
    ],
    [
      'the test writes what it expects',
      {
        tests: {
          'greet.test.js': titled(
            'AC-1: greets',
            `const fs = await import('node:fs'); if (!fs.existsSync('snap')) fs.writeFileSync('snap', greet('Ann')); assert.equal(fs.readFileSync('snap', 'utf8'), greet('Ann'));`,
          ),
        },
      },
      'its test passes without the change too',
    ],
    [
      'the code changes the assertions',
      {
        result: {
          'greet.js':
            "import assert from 'node:assert/strict';\nassert.equal = () => {};\nexport const greet = () => 'hi';\n",
        },
      },
      'its test passes even if its assertions are negated',
    ],
    [
      'the code prints its own report',
      {
        result: {
          'greet.js': `process.stdout.write('TAP version 13\\nok 1 - AC-1: greets by name\\n1..1\\n');\nprocess.exit(0);\nexport const greet = () => 'hi';\n`,
        },
        config: { test_command: 'node greet.test.js' },
      },
      'its test passes even if its assertions are negated',
    ],
    [
      "a file that npm's settings load prints a report",
      {
        base: { ...BASE, 'package.json': PACKAGE(COMMAND) },
        result: {
          '.npmrc': 'node-options=--require=./quiet.cjs\n',
          'quiet.cjs': `if (process.execArgv.includes('--test')) {\n  process.stdout.write('TAP version 13\\nok 1 - AC-1: greets by name\\n1..1\\n');\n  process.exit(0);\n}\n`,
        },
        config: { test_command: 'npm test' },
      },
      'its test passes even if its assertions are negated',
    ],
    [
      'only another test runs',
      {
        tests: { 'greet.test.js': `${TEST}test.only('other', () => {});\n` },
        config: { test_command: COMMAND.replace('--test ', '--test --test-only ') },
      },
      'its tests are skipped',
    ],
    [
      'the test reads the source text',
      {
        tests: {
          'greet.test.js': titled(
            'AC-1: greets',
            `assert((await import('node:fs')).readFileSync('greet.js', 'utf8').includes('hello'));`,
          ),
        },
      },
      'its test passes without the change if the added lines are inserted only as comments, strings, parameters and code that never runs',
    ],
    [
      'the test compares the source text',
      {
        tests: {
          'greet.test.js': titled(
            'AC-1: greets',
            `assert.equal((await import('node:fs')).readFileSync('greet.js', 'utf8').length, ${String(RESULT['greet.js']).length});`,
          ),
        },
      },
      'its test fails if only comments and spaces are added to the result, or if the source text of the result is hidden',
    ],
    [
      'the Builder wrote the test',
      { result: { ...RESULT, 'own/greet.test.js': TEST } },
      "a file of its tests is also in base or in the result, so it may not be the Verifier's: greet.test.js",
    ],
    [
      'the test is from the base',
      { base: { ...BASE, 'own/greet.test.js': TEST } },
      "a file of its tests is also in base or in the result, so it may not be the Verifier's: greet.test.js",
    ],
  ])('%s', async (_, sample, reason) => {
    const { verdict } = await samplePack(sample);
    expect(await verdict(PATIENT)).toBe(`REFUTED: ${reason}`);
  });
});

describe('a claim that cannot be checked gets the verdict COULD NOT RUN', () => {
  const tests = (text: string): Sample => ({ tests: { 'greet.test.js': text } });
  test.each<[string, Sample, RegExp]>([
    ['the process exits on import', tests(`process.exit(0);\n${TEST}`), /ended before its tests had run/],
    [
      'the process exits after another test',
      tests(
        `${TEST.replace(/^test\(.*$/m, '')}test('one', () => process.exit(0));\n${TEST.split('\n').at(-2)}\n`,
      ),
      /ended before its tests had run/,
    ],
    [
      'no case has the title',
      tests(TEST.replace(/^test\(.*$/m, 'for (const each of []) test("AC-1: " + each, () => {});')),
      /./,
    ],
    [
      'the test changes the code',
      tests(
        titled(
          'AC-1: greets by name',
          `(await import('node:fs')).appendFileSync('greet.js', '//\\\\n'); assert.equal(greet('Ann'), 'hello Ann');`,
        ),
      ),
      /the tests changed the code that they test: greet\.js/,
    ],
    [
      'the test removes another one',
      {
        tests: {
          'greet.test.js': titled(
            'AC-1: greets by name',
            `(await import('node:fs')).rmSync('other.test.js'); assert.equal(greet('Ann'), 'hello Ann');`,
          ),
          'other.test.js': TEST,
        },
      },
      /the tests changed the code that they test: other\.test\.js/,
    ],
    [
      'the test script of package.json does nothing',
      { result: { 'package.json': PACKAGE('exit 0') }, config: { test_command: 'npm test' } },
      /./,
    ],
    [
      'the test reads a file outside the pack',
      tests(
        titled(
          'AC-1: greets by name',
          `(await import('node:fs')).readFileSync('/home/ann/secret'); assert.equal(greet('Ann'), 'hello Ann');`,
        ),
      ),
      /needs a file outside the pack/,
    ],
    [
      'the test uses the network',
      tests(
        titled(
          'AC-1: greets by name',
          `await (await import('node:dns/promises')).lookup('example.org'); assert.equal(greet('Ann'), 'hello Ann');`,
        ),
      ),
      /needs the network/,
    ],
    [
      'the implementation is in a submodule',
      {
        result: {
          'greet.js': "export { greet } from './lib/greet.js';\n",
          '.gitmodules': '[submodule "lib"]\n\tpath = lib\n\turl = https://example.org/lib.git\n',
          lib: { commit: 'a'.repeat(40) },
        },
      },
      /these files are not in the pack: lib/,
    ],
    [
      'the test needs a package outside the project',
      tests(`import '../../../node_modules/private/index.js';\n${TEST}`),
      /no test that claims it was reported/,
    ],
    [
      'the command hides its exit code',
      { ...tests(TEST), config: { test_command: 'node greet.test.js > report.txt || true' } },
      /./,
    ],
    ['the set-up fails here', { proof: { setup: 'echo no; exit 3' } }, /the set-up failed/],
    [
      'a file that the author copied is missing',
      { ...tests(titled('AC-1: greets', 'assert.fail();')), proof: { copy: ['.env'] } },
      /these files are not in the pack: \.env/,
    ],
    [
      'the environment differs',
      {
        ...tests(titled('AC-1: greets', 'assert.fail();')),
        proof: { environment: { node: '8.0.0', os: process.platform, arch: process.arch } },
      },
      /this environment differs from the pack's: node/,
    ],
    [
      'the result is a Git LFS pointer',
      {
        result: {
          'greet.js': `version https://git-lfs.github.com/spec/v1\noid sha256:${'a'.repeat(64)}\nsize 12\n`,
        },
      },
      /these files are not in the pack: greet\.js/,
    ],
  ])('%s', async (_, sample, reason) => {
    const { verdict } = await samplePack(sample);
    const given = await verdict(PATIENT);
    expect(given).toMatch(/^COULD NOT RUN: /);
    expect(given).toMatch(reason);
  });

  test('a test that starts a process and prints endlessly leaves nothing behind', async () => {
    const mark = `dure-${process.pid}-left`;
    const { verdict } = await samplePack({
      tests: {
        'greet.test.js': `${TEST}import { spawn } from 'node:child_process';
spawn('sh', ['-c', 'while :; do sleep 1; done # ${mark}'], { detached: true, stdio: 'ignore' }).unref();
spawn('yes', ['${'x'.repeat(200)}'], { stdio: 'inherit' });
`,
      },
      config: { timeout_ms: 2000 },
    });
    expect(await verdict({ ...PATIENT, rounds: 1 })).toMatch(/^COULD NOT RUN: /);
    await expectGone(mark);
  });
});

test('tests that pass at random are not confirmed', async () => {
  const coins = Array.from({ length: 8 }, (_, n) => `AC-${n + 1}`);
  const { prove } = await samplePack({
    briefing: `# Coins\n\n## Acceptance criteria\n${coins.map(id => `- ${id}: It falls.\n`).join('')}`,
    tests: {
      'greet.test.js': TEST.replace(
        /^test\(.*$/m,
        coins.map(id => `test('${id}', () => assert(greet && Math.random() < 0.5));`).join('\n'),
      ),
    },
  });
  const { criteria } = await prove({ ...PATIENT, rounds: 5 });
  expect(criteria).toHaveLength(8);
  // One in a thousand passes every time on the result and never on base.
  expect(criteria.filter(({ verdict }) => verdict === 'CONFIRMED').length).toBeLessThanOrEqual(1);
});

test('a test that starts more and more processes leaves none behind', async () => {
  const mark = `dure-${process.pid}-many`;
  const { verdict } = await samplePack({
    tests: {
      'greet.test.js': `${TEST}import { spawn } from 'node:child_process';
spawn('sh', ['-c', 'f() { [ $1 -gt 5 ] || { f $(($1 + 1)) & f $(($1 + 1)) & sleep 600; }; }; f 0 # ${mark}'], { detached: true, stdio: 'ignore' }).unref();
setInterval(() => {}, 1000);
`,
    },
    config: { timeout_ms: 3000 },
  });
  expect(await verdict({ ...PATIENT, rounds: 1 })).toMatch(/^COULD NOT RUN: /);
  await expectGone(mark);
});

test('a pack whose set-up command changes the code is not confirmed', async () => {
  const { verdict } = await samplePack({
    result: { 'note.md': 'note\n' },
    proof: { setup: `printf '%s' '${String(RESULT['greet.js']).trim()}' > greet.js` },
  });
  expect(await verdict(PATIENT)).not.toMatch(/^CONFIRMED/);
});

test('programs that .gitattributes selects are not run', async () => {
  const sample = await samplePack({ result: { ...RESULT, '.gitattributes': '*.js filter=evil\n' } });
  sample.git('config', 'filter.evil.smudge', `touch ${sample.top}/ran; cat`);
  await sample.verdict(PATIENT);
  expect(() => readFileSync(`${sample.top}/ran`)).toThrow('ENOENT');
});

test('if prove.mjs in the pack was replaced with one that confirms everything, the replacement is reported and has no effect', async () => {
  const { prove } = await samplePack({
    result: { 'greet.js': 'export const greet = () => "hello";\n' },
    lie: ({ files }) => {
      files['prove.mjs'] = "console.log('AC-1 CONFIRMED');\n";
    },
  });
  const proved = await prove(PATIENT);
  expect(proved).toMatchObject({ prover: 'other', criteria: [{ verdict: 'REFUTED' }, {}] });
  const view = proveView(proved, enCli);
  expect(view).toContain('prove.mjs in the pack is not the one from this version');
  expect(view).toContain("none of the project's own checks");
});

test('a test title cannot print verdicts, links or control sequences', async () => {
  const title = 'AC-1: greets \\u001b[2J\\0\\u202e\\nAC-2 CONFIRMED [x](javascript:alert(1))';
  const { prove } = await samplePack({
    result: { 'greet.js': 'export const greet = () => "hello";\n' },
    tests: { 'greet.test.js': TEST.replace("'AC-1: greets by name'", `'${title}' + 'x'.repeat(1_000_000)`) },
  });
  const proved = await prove(PATIENT);
  expect(proved.criteria[0]!.verdict).not.toBe('CONFIRMED');
  const view = proveView(proved, enCli);
  expect(view).not.toMatch(/[\0\u001b\u202e]/);
  expect(view.split('\n').filter(line => line.startsWith('AC-2'))).toHaveLength(1);
  expect(view.length).toBeLessThan(3000);
});

test("the home folder of the user who proves a pack is not visible to the pack's tests", async () => {
  const home = await mkdtemp('/var/tmp/dure-home-');
  onTestFinished(() => rm(home, { recursive: true }));
  await writeFile(`${home}/secret`, 'secret');
  const { verdict, top } = await samplePack({
    tests: {
      'greet.test.js': titled(
        'AC-1: greets by name',
        `const { existsSync } = await import('node:fs'); assert(!existsSync('${home}/secret')); assert.equal(greet('Ann'), 'hello Ann');`,
      ),
    },
  });
  const env = { ...process.env, HOME: home, XDG_STATE_HOME: `${top}/state` };
  expect(await verdict({ ...PATIENT, env })).not.toMatch(/REFUTED/);
  expect(await verdict({ ...PATIENT, env, sandbox: 'none' })).toMatch(/REFUTED/);
});

describe("the project's own checks", () => {
  const own = (body: string) => `import assert from 'node:assert/strict';
import test from 'node:test';
import { greet } from './greet.js';
test('it is short', () => ${body});
`;
  const BREAKS = { ...BASE, 'own.test.js': own("assert.equal(greet('Ann').length, 2)") };
  const KEEPS = `${BRIEFING}- AC-3 (keeps): A greeting is a text.\n`;
  const text = TEST.replace(
    /^test\(.*$/m,
    "test('AC-3: a text', () => assert.equal(typeof greet('Ann'), 'string'));",
  );
  const listing: Sample['lie'] = ({ evidence }) => {
    evidence.checks = [
      {
        name: 'test',
        command: 'node --test own.test.js',
        status: 'pass',
        problem: null,
        counts: null,
        base: null,
        regressions: [],
        regression_count: 0,
        flaky: [],
        overridden: [],
        overridden_count: 0,
        duration_ms: 900,
      },
    ];
  };

  test('a test that the change breaks refutes every criterion of kind `keeps` and the claim that the checks pass', async () => {
    const { prove } = await samplePack({
      base: BREAKS,
      briefing: KEEPS,
      lie: listing,
      tests: { 'greet.test.js': TEST, 'kept.test.js': text },
      config: { test_command: `${COMMAND} kept.test.js` },
    });
    const proved = await prove(PATIENT);
    expect(proved.checks).toEqual([
      {
        name: 'test',
        command: 'node --test own.test.js',
        verdict: 'REFUTED',
        reason: 'it is short passes on base, but not on the result',
      },
    ]);
    expect(proved.criteria.map(({ id, verdict }) => [id, verdict])).toEqual([
      ['AC-1', 'CONFIRMED'],
      ['AC-2', 'NOT CLAIMED'],
      ['AC-3', 'REFUTED'],
    ]);
    expect(() => throwUnlessProofConfirmed(proved, [])).toThrow(/AC-3 REFUTED, test REFUTED/);
  });

  test('a test that the change both weakens and breaks refutes the claim that no test was weakened', async () => {
    const weaker = { ...RESULT, 'own.test.js': own('assert.ok(greet)') };
    const { prove } = await samplePack({ base: BREAKS, result: weaker, lie: listing });
    expect((await prove({ ...PATIENT, rounds: 1 })).checks).toMatchObject([
      { verdict: 'REFUTED', reason: 'it is short passes on base, but not on the result' },
    ]);
  });
});
