/**
 * Makes the merge-readiness pack from git and from Dure's own test run. It is made aside and moved into place,
 * so a pack that is there is whole.
 */
import { lstat, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { dureError } from '../errors.ts';
import { type Crp, crpFile, type Vcr } from '../formats/consultation.ts';
import { guarded, load, parseFormat, readFormat, readText } from '../formats/file.ts';
import type { Evidence } from '../formats/mrp.ts';
import { evidenceFile } from '../formats/mrp.ts';
import type { RunState } from '../formats/state.ts';
import { testConfigFile, testOutputFile } from '../formats/tests.ts';
import { readProblems } from '../plugins/problem-log.ts';
import { inputsBetween } from '../proof/inputs-between.ts';
import { changedFiles, diffStat, readBlob, writeChanged, writePatch } from '../workspace/diff.ts';
import { testPaths } from '../workspace/laid-tests.ts';
import { checkoutTree, type Sealed } from '../workspace/seal.ts';
import { disturbances } from './disturbances.ts';
import { looksAround } from './looks-around.ts';
import { checkScript, evidenceOf, summaryOf } from './merge-pack.ts';
import { stepBeforeProof } from './pipeline.ts';
import { type Proven, provenResult } from './proven.ts';
import { readEvents } from './run-store.ts';
import { backendOf, type Site } from './site.ts';
import { titleOf } from './title.ts';
import { readAnswers } from './wishes.ts';

/** Without room on the disk it is `E_DISK`. */
export const buildPack = (site: Site, s: RunState): Promise<Sealed> =>
  guarded(site.files.mrp, () => packed(site, s));

async function packed(site: Site, s: RunState): Promise<Sealed> {
  const { files, repo, options } = site;
  const sealed = s.sealed['build'];
  if (!sealed) throw dureError('E_NOT_READY', { run: s.run_id, phase: s.phase });
  const proven = provenResult(s);
  const tests = s.sealed[stepBeforeProof(s.setup).name];
  const said = (file: string) => readText(file).catch(() => null);
  const [changed, stat, failures, testCommand, answers, words, events, plugins, looks] = await Promise.all([
    changedFiles(repo, options.base, sealed.commit),
    diffStat(repo, options.base, sealed.commit),
    proven ? namesOfFailures(site, proven) : [],
    tests ? sealedCommand(site, tests.commit) : '',
    decisionsOf(site, s),
    Promise.all([files.review, files.raw, files.refined, files.logOf('builder')].map(said)),
    readEvents(files),
    readProblems(files),
    looksAround(site, s),
  ]);
  const [review = null, briefing, refined = null, design = null] = words;
  const evidence: Evidence = evidenceOf({
    state: s,
    changed,
    proven,
    testCommand,
    testsTree: proven && s.tests ? s.tests.tests_tree : null,
    laidIn: proven && s.tests ? await testPaths(repo, s.tests.tests_tree) : [],
    commandInputs: await inputsBetween(repo, options.base, sealed.commit, changed),
    backend: backendOf(site, 'verifier')?.name ?? 'unknown',
    commit: sealed.commit,
    tree: sealed.tree,
  });
  evidenceFile.shape.parse(evidence);

  const making = `${files.mrp}.making`;
  await rm(making, { recursive: true, force: true, maxRetries: 20 });
  for (const folder of ['code', 'tests']) await mkdir(join(making, folder), { recursive: true });
  await writePatch(repo, options.base, sealed.commit, join(making, 'changes.patch'));
  await writeChanged(repo, options.base, sealed.commit, join(making, 'code'));
  if (tests) await writeTests(site, tests.tree, making);
  const write = (name: string, text: string, mode = 0o644) => writeFile(join(making, name), text, { mode });
  await write('evidence.json', `${JSON.stringify(evidence, null, 2)}\n`);
  const directory = join(repo.prefix, s.setup.checkout.directory).replace(/\/$/, '');
  const check = checkScript({
    evidence,
    gitDir: repo.gitDir,
    setup: s.setup.prepare,
    directory: directory === '.' ? '' : directory,
  });
  await write('check.sh', check, 0o755);
  await write(
    'summary.md',
    summaryOf({
      ...{ state: s, evidence, stat, failures, answers, review, refined, design, events, plugins },
      ...{ briefing: briefing ?? '', title: titleOf(briefing ?? '') },
      disturbed: disturbances(events, looks),
      at: s.updated_at,
    }),
  );
  await rm(files.mrp, { recursive: true, force: true, maxRetries: 20 });
  await rename(making, files.mrp);
  return sealed;
}

/** The tests out of all that was sealed with them. They are moved and not copied: their links stay as they were. */
async function writeTests({ repo }: Site, tree: string, making: string): Promise<void> {
  const all = join(making, 'verifier');
  await checkoutTree(repo, tree, all);
  const found = await lstat(join(all, 'tests')).catch(() => null);
  if (found?.isDirectory()) await rename(join(all, 'tests'), join(making, 'tests'));
  await rm(all, { recursive: true, force: true, maxRetries: 20 });
}

/** The command as it was sealed with the tests, whatever the file says by now. */
async function sealedCommand({ repo }: Site, commit: string): Promise<string> {
  const blob = await readBlob(repo, commit, 'test-config.json');
  const read = blob && parseFormat(testConfigFile, blob.toString());
  return read?.is === 'value' ? read.value.test_command : '';
}

/** The file names the tests that failed; it is believed no further than it agrees with the record. */
async function namesOfFailures({ files }: Site, { machine, test_results }: Proven): Promise<string[]> {
  const read = await readFormat(testOutputFile, files.testOutput);
  const agrees =
    read.is === 'value' &&
    read.value.machine === machine &&
    read.value.test_results?.failed === test_results.failed;
  return agrees ? read.value.failures : [];
}

async function decisionsOf({ files }: Site, s: RunState): Promise<{ crp: Crp; vcr: Vcr }[]> {
  const answers = (await readAnswers(files)).filter(vcr => s.decisions.includes(vcr.vcr_id));
  const pairs = await Promise.all(
    answers.map(async vcr => ({ vcr, crp: await load(crpFile, files.crp(vcr.crp_id)) })),
  );
  return pairs.flatMap(({ crp, vcr }) => (crp ? [{ crp, vcr }] : []));
}
