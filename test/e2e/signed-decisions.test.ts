/** Decisions of a person whose git signs with an SSH key: others check them with the public key alone. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { verifyRun } from '../../src/core/run/record/verify-integrity.ts';
import { requestChanges } from '../../src/core/run/requests/request-changes.ts';
import { vcrFile } from '../../src/formats/crp-and-vcr.ts';
import { load } from '../../src/formats/read-and-write-files.ts';
import { packageRoot } from '../../src/process/package-paths-and-version.ts';
import { quarantine } from '../../src/proof/prove-pack/open-pack-in-quarantine.ts';
import { readPack } from '../../src/proof/prove-pack/read-and-verify-pack.ts';
import { decisionsIn } from '../../src/proof/prove-pack/verify-decisions-in-pack.ts';
import { openRepository } from '../../src/workspace/git/open-repository.ts';
import { extendPack } from '../../src/workspace/pack/commit-pack.ts';
import { git } from '../helpers/git-repositories.ts';
import { bin } from '../helpers/test-project.ts';
import { asks, builds, cassette } from './agent-moves.ts';
import { scratchProject } from './scratch-project.ts';

const asking = () => cassette({ builder: [[asks('crp-001', 'builder')], builds('hello\n')] });

/** A project whose git signs with a new key, and the key. */
async function signing(passphrase = '') {
  const set = await scratchProject();
  const keys = join(set.root, '..', 'keys');
  await mkdir(keys);
  const key = join(keys, 'id');
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', passphrase, '-f', key]);
  git(set.root, 'config', 'gpg.format', 'ssh');
  git(set.root, 'config', 'user.signingKey', key);
  const trusted = join(keys, 'allowed_signers');
  await writeFile(trusted, `ann@example.org ${await readFile(`${key}.pub`, 'utf8')}`);
  const [, fingerprint = ''] = execFileSync('ssh-keygen', ['-lf', key], { encoding: 'utf8' }).split(' ');
  return { ...set, key, trusted, fingerprint };
}

/** The commands that docs/security.md names, for this run. */
async function documented(run: string): Promise<string> {
  const page = await readFile(join(packageRoot, 'docs', 'security.md'), 'utf8');
  const section = page.split('### Signed decisions\n')[1]!;
  return /```sh\n(.*?)```/s.exec(section)![1]!.replaceAll('run-20260131-142233', run);
}

test('a signed answer and approval can be verified from a bundle, with the documented commands and with prove', async () => {
  const { root, project, start, trusted, fingerprint } = await signing();
  const clone = join(root, '..', 'clone');
  git(root, 'clone', '--quiet', '--no-local', root, clone);
  const run = await start(asking());
  await run.drive();
  await run.answer('A', 'because');
  await run.drive();
  expect(await readFile(run.files.summary, 'utf8')).toContain(`(terminal, signed by ${fingerprint})`);
  expect((await run.approve()).phase).toBe('completed');
  const by = { through: 'terminal', proof: 'valid', signature: 'valid', key: fingerprint, fault: null };
  expect((await verifyRun(project, run.files)).decisions).toMatchObject([
    { ...by, kind: 'answer', file: 'vcr/vcr-001.json', who: 'Ann <ann@example.org>' },
    { ...by, kind: 'approve', file: 'requests/approve.json' },
  ]);

  const bundle = join(clone, `${run.runId}.bundle`);
  const dure = (...args: string[]) =>
    execFileSync(process.execPath, [bin, ...args], { cwd: root, encoding: 'utf8' });
  dure('bundle', '-o', bundle);
  expect(dure('verify')).toContain(`signed by ${fingerprint}`);
  await writeFile(join(clone, 'allowed_signers'), await readFile(trusted));
  const commands = await documented(run.runId);
  const check = (text: string) =>
    execFileSync('sh', ['-ec', text], { cwd: clone, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  const good = `Good "dure-decision" signature for ann@example.org with ED25519 key ${fingerprint}`;
  expect(check(commands)).toContain(good);
  expect(check(commands.replaceAll('vcr-001.txt', 'approve.txt'))).toContain(good);
  expect(() => check(commands.replace(/^ssh-keygen/m, 'echo >> vcr-001.txt\nssh-keygen'))).toThrow();

  const advice = () => {
    const { status, stdout } = spawnSync(process.execPath, [bin, 'verify', '--json'], {
      cwd: root,
      encoding: 'utf8',
    });
    expect(status).toBe(1);
    return JSON.parse(stdout).error.suggestions;
  };
  const moved = async (file: string) => {
    await rename(file, `${file}.aside`);
    const said = advice();
    await rename(`${file}.aside`, file);
    return said;
  };
  expect(await moved(run.files.vcr('vcr-001'))).toEqual([
    expect.stringMatching(/^Compare the decisions with what the log records/),
  ]);
  await writeFile(run.files.patch, 'forged');
  expect(advice()).toEqual([expect.stringMatching(/^If the pack is waiting for approval/)]);

  const place = join(root, '..', 'place');
  await mkdir(place);
  const { repo, pack } = await quarantine(await openRepository(clone, ''), { bundle }, place);
  const decided = { who: 'Ann <ann@example.org>', through: 'terminal', key: fingerprint };
  const open = await readPack(repo, pack);
  const decisions = await decisionsIn(repo, open, trusted);
  expect(decisions).toEqual([
    { ...decided, id: 'vcr-001', signer: 'ann@example.org' },
    { ...decided, id: 'approve', signer: 'ann@example.org' },
  ]);
  expect(await decisionsIn(repo, open, '/dev/null')).toEqual(
    decisions.map(each => ({ ...each, signer: null })),
  );
  const text = git(repo.gitDir, 'show', `${pack}:vcr-001.txt`);
  for (const [forged, code] of [
    [text.replace('because', 'instead'), 'E_PROVE_PACK'],
    [text.replace(run.runId, 'run-20260131-142233'), 'E_PROVE_DIFFERS'],
  ] as const) {
    const other = { ...open, commit: await extendPack(repo, pack, { 'vcr-001.txt': forged }) };
    await expect(decisionsIn(repo, other, trusted)).rejects.toMatchObject({ code });
  }
});

test('verify names a decision whose signature is missing, belongs to another decision or was made with another key', async () => {
  const { root, project, start, fingerprint } = await signing();
  const run = await start(asking());
  await run.drive();
  await run.answer('A', 'because');
  await run.drive();
  await requestChanges({ ...run, state: await run.state() }, 'Say it louder.');
  await run.drive();
  const fault = async () =>
    (await verifyRun(project, run.files)).checks.find(({ check }) => check === 'decisions')!.fault;
  expect(await fault()).toBeNull();
  const file = run.files.vcr('vcr-001');
  const answer = (await load(vcrFile, file))!;
  const feedback = JSON.parse(await readFile(run.files.feedbackOf(1), 'utf8'));
  const other = join(root, '..', 'keys', 'other');
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', other]);
  const text = git(root, 'show', `refs/dure/packs/${run.runId}:vcr-001.txt`);
  const sign = ['-Y', 'sign', '-n', 'dure-decision', '-f', other];
  const byOther = execFileSync('ssh-keygen', sign, { input: text, encoding: 'utf8', stdio: 'pipe' });
  for (const [signature, why] of [
    [undefined, `it is not signed with ${fingerprint}`],
    [feedback.by.signature, 'its signature is not valid'],
    [byOther, `not with ${fingerprint}`],
    ['garbage', 'its signature is not valid'],
  ] as const) {
    await writeFile(file, JSON.stringify({ ...answer, by: { ...answer.by, signature } }));
    expect(await fault()).toMatch(`vcr/vcr-001.json: `);
    expect(await fault()).toContain(why);
  }
  await rename(file, `${file}.aside`);
  expect(await fault()).toContain('vcr/vcr-001.json: it is missing');
});

test('if the signing key cannot be used, the decision is recorded unsigned, with the reason', async () => {
  const { root, project, start, key } = await signing('a passphrase');
  const testRun = await start(asking());
  await testRun.drive();
  await testRun.answer('A', 'because');
  expect((await testRun.drive()).phase).toBe('ready_for_merge');
  const { by } = (await load(vcrFile, testRun.files.vcr('vcr-001')))!;
  expect(by).toMatchObject({ unsigned: expect.stringMatching(/passphrase/), proof: expect.any(String) });
  expect(by).not.toHaveProperty('signature');
  expect(await readFile(testRun.files.summary, 'utf8')).toContain('(terminal, not signed)');
  const { decisions } = await verifyRun(project, testRun.files);
  expect(decisions).toMatchObject([
    { proof: 'valid', signature: 'none', unsigned: by!.unsigned, fault: null },
  ]);

  await rename(key, `${key}.aside`);
  await rename(`${key}.pub`, `${key}.pub.aside`);
  const run = [process.execPath, bin, 'approve', testRun.runId].map(word => `'${word}'`).join(' ');
  const said = execFileSync('sh', ['-c', `${run} 2>&1`], { cwd: root, encoding: 'utf8' });
  expect(said).toContain('The decision is not signed: ');
  expect((await testRun.state()).phase).toBe('completed');
});
