/** The git commit of a pack, which `dure bundle` exports and `dure prove` checks. */
import { readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { dureError } from '../../../errors.ts';
import { PROVER, packFiles, type RunFiles, runFiles } from '../../../formats/layout.ts';
import { readValue } from '../../../formats/read-and-write-files.ts';
import { requestFiles } from '../../../formats/requests-and-feedback.ts';
import type { RunState } from '../../../formats/state.ts';
import { sha256 } from '../../../formats/text/sha256.ts';
import { distFile } from '../../../process/package-paths-and-version.ts';
import { readBlob } from '../../../workspace/git/read-blobs.ts';
import { git, type Repository, revParse } from '../../../workspace/git/run-git.ts';
import { commitPack, extendPack, packRef } from '../../../workspace/pack/commit-pack.ts';
import { sealedResult, sealedTests } from '../../policy/state/sealed-trees.ts';
import { changedNames } from '../../policy/user-file-changes.ts';
import { decisionFiles } from '../requests/decision-proof.ts';
import { expectPackUnchanged, type PackHashes } from './pack-integrity.ts';

const { refined } = runFiles('');
const { mrpCode, mrpTests } = packFiles('');

/** Throws `E_PACK_CHANGED` if what it read from `mrp/` does not match `hashes`. */
export async function makePackCommit(
  repo: Repository,
  files: RunFiles,
  s: RunState,
  hashes: PackHashes,
): Promise<string> {
  const result = sealedResult(s)!;
  const tests = sealedTests(s);
  const refiner = s.setup.pipeline.find(step => step.outputs.includes(refined));
  const briefing = refiner && s.sealed[refiner.name];
  const entries = await readdir(files.mrp, { withFileTypes: true });
  const names = entries.filter(entry => entry.isFile()).map(({ name }) => name);
  const commit = await commitPack(repo, {
    runId: s.run_id,
    result: result.commit,
    // With a fixed date, the commit has the same id if it is made again after a crash.
    date: s.started_at,
    // The changed files are in the parent commit, and the tests are in `verifier/`.
    files: Object.fromEntries([
      ...names.map(name => [name, join(files.mrp, name)] as const),
      [PROVER, distFile(PROVER)],
    ]),
    trees: tests ? { verifier: tests.tree } : {},
    blobs: briefing ? { [refined]: [briefing.commit, relative(refiner.folder, refined)] } : {},
  });
  // The files may have been changed since they were hashed, so the hashes are compared with what git has stored.
  const committed: Record<string, string> = {};
  for (const name of names) committed[name] = sha256((await readBlob(repo, commit, name))!);
  const { [mrpCode]: _code, [mrpTests]: _tests, ...hashed } = hashes;
  const changed = changedNames(hashed, committed);
  if (changed.length > 0) throw dureError('E_PACK_CHANGED', { run: s.run_id, files: changed.join(', ') });
  await git(repo, ['update-ref', packRef(s.run_id), commit]);
  return commit;
}

/**
 * Returns the recorded commit, and creates it again if git has lost it. Once the result is approved, adds the
 * approval if it is signed. Throws `E_NOT_READY` or `E_PACK_CHANGED`.
 */
export async function packCommitOf(repo: Repository, files: RunFiles, s: RunState): Promise<string> {
  if (!s.mrp) throw dureError('E_NOT_READY', { run: s.run_id, phase: s.phase });
  await expectPackUnchanged(files, s);
  const known = await revParse(repo, `${s.mrp.pack}^{commit}`);
  const commit = known ?? (await makePackCommit(repo, files, s, s.mrp.files));
  const approval = await signedApproval(files, s);
  return approval === null ? commit : extendPack(repo, commit, approval);
}

async function signedApproval(files: RunFiles, s: RunState): Promise<Record<string, string> | null> {
  if (s.phase !== 'completed') return null;
  const approval = await readValue(requestFiles.approve, files.request('approve'));
  const isRecorded = approval && s.nonces?.includes(approval.by?.nonce ?? '');
  return isRecorded && approval.by?.signature ? decisionFiles(s, 'approve', 'approve', approval) : null;
}
