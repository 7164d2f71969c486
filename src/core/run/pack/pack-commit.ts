/** The git commit of a pack, which `dure bundle` exports and `dure prove` checks. */
import { readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { dureError } from '../../../errors.ts';
import { PROVER, type RunFiles, runFiles } from '../../../formats/layout.ts';
import { readValue } from '../../../formats/read-and-write-files.ts';
import { requestFiles } from '../../../formats/requests-and-feedback.ts';
import type { RunState } from '../../../formats/state.ts';
import { distFile } from '../../../process/package-paths-and-version.ts';
import { type Repository, revParse } from '../../../workspace/git/run-git.ts';
import { commitPack, extendPack } from '../../../workspace/pack/commit-pack.ts';
import { sealedResult, sealedTests } from '../../policy/state/sealed-trees.ts';
import { decisionFiles } from '../requests/decision-proof.ts';
import { expectPackUnchanged } from './pack-integrity.ts';

const { refined } = runFiles('');

export async function makePackCommit(repo: Repository, files: RunFiles, s: RunState): Promise<string> {
  const result = sealedResult(s)!;
  const tests = sealedTests(s);
  const refiner = s.setup.pipeline.find(step => step.outputs.includes(refined));
  const briefing = refiner && s.sealed[refiner.name];
  const entries = await readdir(files.mrp, { withFileTypes: true });
  return commitPack(repo, {
    runId: s.run_id,
    result: result.commit,
    // With a fixed date, the commit has the same id if it is made again after a crash.
    date: s.started_at,
    // The changed files are in the parent, the tests in `verifier/`.
    files: Object.fromEntries([
      ...entries.filter(entry => entry.isFile()).map(({ name }) => [name, join(files.mrp, name)] as const),
      [PROVER, distFile(PROVER)],
    ]),
    trees: tests ? { verifier: tests.tree } : {},
    blobs: briefing ? { [refined]: [briefing.commit, relative(refiner.folder, refined)] } : {},
  });
}

/**
 * Returns the recorded commit, and creates it again if git has lost it. Once the result is approved, adds the
 * approval if it is signed. Throws `E_NOT_READY` or `E_PACK_CHANGED`.
 */
export async function packCommitOf(repo: Repository, files: RunFiles, s: RunState): Promise<string> {
  if (!s.mrp) throw dureError('E_NOT_READY', { run: s.run_id, phase: s.phase });
  await expectPackUnchanged(files, s);
  const known = await revParse(repo, `${s.mrp.pack}^{commit}`);
  const commit = known ?? (await makePackCommit(repo, files, s));
  const approval = await signedApproval(files, s);
  return approval === null ? commit : extendPack(repo, commit, approval);
}

async function signedApproval(files: RunFiles, s: RunState): Promise<Record<string, string> | null> {
  if (s.phase !== 'completed') return null;
  const approval = await readValue(requestFiles.approve, files.request('approve'));
  const isRecorded = approval && s.nonces?.includes(approval.by?.nonce ?? '');
  return isRecorded && approval.by?.signature ? decisionFiles(s, 'approve', 'approve', approval) : null;
}
