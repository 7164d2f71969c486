/** Signs the commit of a pack, writes it as a git bundle, and pushes it. */
import { dureError } from '../../errors.ts';
import { parentsFor } from '../base-and-snapshot-commits.ts';
import { git, type Repository, signedByDure } from '../git/run-git.ts';
import { packRef } from './commit-pack.ts';
import { writeBundle } from './write-git-bundle.ts';

/** Long, because the user may have to type a passphrase or touch a key. */
const SIGNING_MS = 120_000;
const PUSHING_MS = 120_000;

/** Returns a commit with the same content, signed by the user. */
export async function signPack(repo: Repository, runId: string, commit: string): Promise<string> {
  const about = await git(repo, ['log', '-1', '--format=%T%n%P%n%cI%n%B', commit]);
  const [tree = '', parent = '', date = '', ...message] = about.split('\n');
  const signed = await git(repo, ['commit-tree', '-S', tree, '-p', parent, '-F', '-'], {
    input: `${message.join('\n').trim()}\n`,
    env: signedByDure(date),
    limitMs: SIGNING_MS,
  }).catch((error: Error) => {
    throw dureError('E_BUNDLE_SIGN', { why: error.message });
  });
  await git(repo, ['update-ref', packRef(runId), signed]);
  return signed;
}

/**
 * Writes a bundle of a pack commit. Without `full`, it contains only what the run added to the repository.
 * Returns the commits that the receiver must already have.
 */
export async function bundlePack(
  repo: Repository,
  of: { readonly runId: string; readonly commit: string; readonly base: string; readonly full: boolean },
  file: string,
): Promise<string[]> {
  const needed = of.full || repo.shadow ? [] : await parentsFor(repo, of.base);
  await git(repo, ['update-ref', packRef(of.runId), of.commit]);
  await writeBundle(repo, packRef(of.runId), needed, file);
  return needed;
}

/** Pushes the ref of the pack, as the user. */
export async function pushPack(repo: Repository, runId: string, remote: string): Promise<void> {
  const ref = packRef(runId);
  await git(repo, ['push', '--quiet', '--no-verify', '--end-of-options', remote, `+${ref}:${ref}`], {
    limitMs: PUSHING_MS,
  });
}
