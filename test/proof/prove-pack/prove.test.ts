import { execFileSync, spawnSync } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ONLY_BASE } from '../../../src/core/policy/criteria/judge-test.ts';
import { verdictOf } from '../../../src/core/policy/verdict/prove-pack-criterion-verdict.ts';
import { resultOf } from '../../../src/core/policy/verdict/prove-pack-outcome.ts';
import type { JudgedCriterion } from '../../../src/formats/exam/criteria-report.ts';
import { PROVER } from '../../../src/formats/layout.ts';
import { distFile } from '../../../src/process/package-paths-and-version.ts';
import { quarantine } from '../../../src/proof/prove-pack/open-pack-in-quarantine.ts';
import { signatureOf } from '../../../src/proof/prove-pack/pack-signature.ts';
import { readPack } from '../../../src/proof/prove-pack/read-and-verify-pack.ts';
import { fileAlreadyInProject } from '../../../src/proof/prove-pack/tests-already-in-project.ts';
import { proveView } from '../../../src/terminal/views/prove-view.ts';
import { enCli } from '../../../src/words/cli/en.ts';
import { openRepository } from '../../../src/workspace/git/open-repository.ts';
import { signPack } from '../../../src/workspace/pack/sign-and-publish-pack.ts';
import { HAS_SANDBOX, HAS_SSH_KEYGEN } from '../../helpers/optional-programs.ts';
import { judgedCriterion } from '../../helpers/sample-criteria.ts';
import { RESULT, RUN, samplePack, TEST } from './sample-pack.ts';

test.skipIf(!HAS_SANDBOX)('an honest pack is not refuted, and no files are left behind', async () => {
  const sample = await samplePack();
  const proved = await sample.prove();
  const [greets, friendly] = proved.criteria;
  expect(['CONFIRMED', 'COULD NOT RUN']).toContain(greets?.verdict);
  expect(friendly).toMatchObject({ verdict: 'NOT CLAIMED', reason: 'a person has to judge it' });
  expect(proved.criteria[0]!.tests).toMatchObject([
    { head: ['pass', 'pass'], base: ['assert', 'assert'], ghost: 'assert', placebo: 'pass' },
  ]);
  expect(proved).toMatchObject({ sandbox: 'bubblewrap', signature: 'none', behind: 0, kept: null });
  expect(await readdir(join(sample.top, 'state', 'dure', 'proofs'))).toEqual([]);
  expect(sample.git('status', '--porcelain')).toBe('');
  expect(sample.git('for-each-ref', '--format=%(refname)').split('\n')).toHaveLength(2);
});

test.skipIf(!HAS_SANDBOX)('a quick proof refutes a claim or leaves it open, and runs no checks', async () => {
  const honest = await samplePack();
  const proved = await honest.prove({ quick: true });
  expect(proved.criteria.map(({ id, verdict }) => `${id} ${verdict}`)).toEqual([
    'AC-1 NOT REFUTED',
    'AC-2 NOT CLAIMED',
  ]);
  expect(proved.criteria[0]!.tests).toMatchObject([
    { head: ['pass'], base: ['assert'], ghost: null, placebo: null, killed_by: null },
  ]);
  expect(proved).toMatchObject({ quick: true, checks: [] });
  expect(resultOf(proved.criteria, ['not-claimed', 'could-not-run'])).toBe('open');
  expect(proveView(proved, enCli)).toContain('\n1 not refuted, 0 refuted, 0 could not run, 1 not claimed · ');

  const lying = await samplePack({ tests: { 'greet.test.js': TEST.replace(/assert\.equal\(.*/, '{});') } });
  expect(await lying.verdict({ quick: true })).toBe('REFUTED: its test passes without the change too');
});

test('a pack whose tests run outside the repository is refused', async () => {
  const { top, prove } = await samplePack({
    config: { test_command: 'node --test verifier/tests' },
    proof: { directory: '../../../../outside' },
  });
  await expect(prove()).rejects.toMatchObject({ code: 'E_PROVE_PACK', exit: 4 });
  expect(await readdir(top)).not.toContain('outside');
});

test('prove.mjs runs as a single file, without its package, and ends with the licences of the packages in it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'dure-prover-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await copyFile(distFile(PROVER), join(folder, PROVER));
  expect((await stat(join(folder, PROVER))).size).toBeLessThan(720_000);
  expect(await readFile(join(folder, PROVER), 'utf8')).toMatch(/^zod@.*\nLicense: MIT\n/m);
  const said = execFileSync(process.execPath, [join(folder, PROVER), '--help'], { encoding: 'utf8' });
  expect(said).toContain('Usage: node prove.mjs');
});

test.each([
  [['--sandbox', 'nonee'], "--sandbox must be auto or none, not 'nonee'"],
  [['--sandbox='], "--sandbox must be auto or none, not ''"],
  [['--rounds', 'five'], "--rounds must be a number from 0 to 20, not 'five'"],
  [['--rounds', '21'], "--rounds must be a number from 0 to 20, not '21'"],
  [['--quick', '--rounds', '3'], '--quick and --rounds cannot be used together'],
  [['one', 'two'], "only one PACK can be proved at a time; remove 'two'"],
  [['--sandbx', 'none'], "Unknown option '--sandbx'"],
])('prove.mjs %j is refused before anything is proved', (args, refusal) => {
  const { status, stderr } = spawnSync(process.execPath, [distFile(PROVER), ...args], { encoding: 'utf8' });
  expect(stderr).toContain(refusal);
  expect(stderr).toContain('Usage: node prove.mjs');
  expect(status).toBe(2);
});

test('a bundle is opened in a separate repository, even from a shallow clone, and is refused if it is damaged or its base is missing', async () => {
  const { top, git, clone, pack } = await samplePack();
  const at = (name: string) => join(top, `${name}.bundle`);
  git('bundle', 'create', '-q', at('thin'), `refs/dure/packs/${RUN}`, '^main');
  git('bundle', 'create', '-q', at('full'), `refs/dure/packs/${RUN}`);
  const bytes = await readFile(at('full'));
  bytes.writeUInt8(bytes.readUInt8(bytes.length - 100) ^ 1, bytes.length - 100);
  await writeFile(at('torn'), bytes);
  let n = 0;
  const open = async (of: typeof clone | null, bundle: string) => {
    const folder = join(top, `place-${n++}`);
    await mkdir(folder);
    const opened = await quarantine(of, { bundle: at(bundle) }, folder);
    await readPack(opened.repo, opened.pack);
    return opened.pack;
  };
  expect(await open(clone, 'thin')).toBe(pack);
  git('clone', '-q', '--depth', '1', `file://${clone.workTree}`, join(top, 'shallow'));
  expect(await open(await openRepository(join(top, 'shallow'), ''), 'thin')).toBe(pack);
  expect(await open(null, 'full')).toBe(pack);
  await expect(open(null, 'thin')).rejects.toMatchObject({ code: 'E_PROVE_BASE', exit: 4 });
  await expect(open(null, 'torn')).rejects.toMatchObject({ code: 'E_PROVE_PACK', exit: 4 });
  await expect(open(clone, 'none')).rejects.toMatchObject({ code: 'E_PROVE_PACK', exit: 4 });
});

const HUNK =
  'diff --git a/evil.js b/evil.js\nnew file mode 100644\n--- /dev/null\n+++ b/evil.js\n@@ -0,0 +1 @@\n+x\n';
test.each<[string, (patch: string) => string, boolean]>([
  ['other compressed data', patch => patch.replace(/\nz(?=\S)/, '\nA'), true],
  ['a hunk after a line', patch => `${patch}x\n${HUNK}`, false],
  ['a hunk after a blank line', patch => `${patch}\n${HUNK}`, false],
  ['a hunk within the data', patch => patch.replace(/\n\n/, `\n${HUNK}\n`), false],
  ['a line after the data', patch => `${patch}x\n`, false],
  ['a third version', patch => `${patch}literal 1\nIcmZQz00062\n\n`, false],
])('a binary patch with %s is accepted only if it yields the file in the result', async (_, edit, isSame) => {
  const bytes = Buffer.from(Array.from({ length: 600 }, (_, n) => (n * 7919) % 251));
  const { clone, pack } = await samplePack({
    result: { ...RESULT, 'z.bin': bytes },
    lie({ files }) {
      const patch = files['changes.patch']!.toString('latin1');
      expect(edit(patch)).not.toBe(patch);
      files['changes.patch'] = Buffer.from(edit(patch), 'latin1');
    },
  });
  const read = readPack(clone, pack).then(
    () => true,
    error => error.code !== 'E_PROVE_DIFFERS',
  );
  expect(await read).toBe(isSame);
});

test('a test counts as part of the result if the result contains the file named in its id, or every test file', () => {
  const [a, b] = ['a.test.js', 'b.test.js'];
  const found = (id: string, all: readonly string[]) => fileAlreadyInProject([id], new Set([a]), all);
  expect(found(`${a}::AC-1: adds`, [a, b])).toBe(a);
  expect(found(`${b}::AC-1: adds`, [a, b])).toBeNull();
  expect(found('AC-1: adds', [a, b])).toBeNull();
  expect(found('AC-1: adds', [a])).toBe(a);
  expect(found('AC-1: std::vector adds', [a])).toBe(a);
});

test.skipIf(!HAS_SSH_KEYGEN)(
  'a signature is good only if its key is trusted, and an invalid signature is refused',
  async () => {
    const { top, git, clone, pack } = await samplePack();
    const key = join(top, 'key');
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', key]);
    git('config', 'gpg.format', 'ssh');
    git('config', 'user.signingKey', `${key}.pub`);
    const trusted = join(top, 'trusted');
    await writeFile(trusted, `ann@example.org ${await readFile(`${key}.pub`, 'utf8')}`);
    const signed = await signPack(clone, RUN, pack);
    expect(await signatureOf(clone, pack, trusted)).toBe('none');
    expect(await signatureOf(clone, signed, '/dev/null')).toBe('unknown key');
    expect(await signatureOf(clone, signed, trusted)).toBe('good: ann@example.org');
    const forged = execFileSync('git', ['hash-object', '-t', 'commit', '-w', '--stdin'], {
      cwd: clone.workTree,
      encoding: 'utf8',
      input: `${git('cat-file', 'commit', signed)} forged\n`,
    }).trim();
    await expect(signatureOf(clone, forged, trusted)).rejects.toMatchObject({
      code: 'E_PROVE_PACK',
      exit: 4,
    });
  },
);

const judged = (more: Partial<JudgedCriterion> = {}): JudgedCriterion =>
  judgedCriterion({
    id: 'AC-1',
    kind: 'behaviour',
    text: 'It greets.',
    status: 'confirmed',
    reason: null,
    tests: [
      {
        id: 'AC-1: a',
        head: ['pass'],
        base: ['assert'],
        ghost: 'assert',
        placebo: 'pass',
        killed_by: ['u1'],
      },
    ],
    ...more,
  });

const of = (outcome: 'skip' | 'assert') => ({ ...judged().tests[0]!, head: [outcome] });
const [red, skipped] = [of('assert'), of('skip')];

test.each<[string, Partial<JudgedCriterion>, Partial<JudgedCriterion>, object, string]>([
  ['claimed and seen', {}, {}, {}, 'CONFIRMED'],
  ['seen, but not claimed', { status: 'passes' }, {}, {}, 'CONFIRMED'],
  ['seen with a test of the result', {}, {}, { notOwn: 'a.test.js' }, 'REFUTED'],
  ['not claimed, with a test of the result', { status: 'passes' }, {}, { notOwn: 'a' }, 'NOT CLAIMED'],
  ['a check failed', {}, { status: 'not-claimed', failed: 'kill', reason: 'why' }, {}, 'REFUTED'],
  [
    'a check failed elsewhere',
    {},
    { status: 'not-claimed', failed: 'kill' },
    { excuse: 'os' },
    'COULD NOT RUN',
  ],
  ['only its first runs were made', {}, { status: 'passes', reason: ONLY_BASE }, {}, 'NOT REFUTED'],
  ['it fails', {}, { status: 'fails', tests: [red] }, {}, 'REFUTED'],
  ['it fails elsewhere', {}, { status: 'fails', tests: [red] }, { excuse: 'os' }, 'COULD NOT RUN'],
  ['it is skipped', {}, { status: 'not-claimed', tests: [skipped] }, {}, 'REFUTED'],
  [
    'it is skipped elsewhere',
    {},
    { status: 'not-claimed', tests: [skipped] },
    { excuse: 'os' },
    'COULD NOT RUN',
  ],
  ['some checks were not possible', {}, { status: 'passes' }, {}, 'COULD NOT RUN'],
  ['nothing claimed, nothing seen', { status: 'passes' }, { status: 'passes' }, {}, 'NOT CLAIMED'],
  ['the same tests as another', {}, { status: 'not-claimed', reason: 'same' }, {}, 'NOT CLAIMED'],
  ['no test was reported', {}, { status: 'not-claimed', tests: [] }, {}, 'COULD NOT RUN'],
  [
    'kept, and a check of the project fails',
    { kind: 'keeps' },
    { kind: 'keeps' },
    { broken: 'a' },
    'REFUTED',
  ],
  ['claimed for a person', {}, { kind: 'look' }, {}, 'NOT CLAIMED'],
])(
  'the verdict on a criterion follows from what the pack claims and what the proof sees: %s',
  (_, claimed, seen, more, verdict) => {
    const observed = { judged: judged(seen), excuse: null, notOwn: null, broken: null, ...more };
    expect(verdictOf(judged(claimed), observed).verdict).toBe(verdict);
  },
);

test('text from a pack is shown on one line, without control characters', () => {
  const environment = { node: '20.0.0', os: 'linux', arch: 'x64' };
  const criterion = { kind: 'behaviour' as const, text: 'It greets.', tests: [] };
  const reason = '\u001b[2Jgone\u202e\nAC-9 CONFIRMED\u0000';
  const view = proveView(
    {
      run_id: RUN,
      pack: 'a',
      base: 'b',
      head: 'c',
      tree: 'd',
      base_is_ancestor_of: null,
      behind: null,
      environment: { claimed: environment, here: environment, differs: [] },
      sandbox: 'bubblewrap',
      quick: false,
      signature: 'none',
      prover: 'other',
      problem: null,
      seconds: 1,
      kept: null,
      decisions: [{ id: 'vcr-001', who: reason, through: 'page', key: null, signer: null }],
      criteria: [
        { ...criterion, id: 'AC-1', verdict: 'REFUTED', reason },
        { ...criterion, id: 'AC-2', text: 'x'.repeat(1_000_000), verdict: 'CONFIRMED', reason: null },
      ],
      checks: [{ name: reason, command: reason, verdict: 'CONFIRMED', reason: null }],
    },
    enCli,
  );
  expect(view).not.toMatch(/[\0\u001b\u202e]/);
  expect(view.split('\n').filter(line => line.startsWith('AC-'))).toHaveLength(2);
  expect(view.length).toBeLessThan(2000);
});
