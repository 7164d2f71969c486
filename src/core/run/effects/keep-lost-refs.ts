/**
 * Records the user's branches, tags and stash entries before each launch, finds those that were lost since, and keeps
 * their objects in git, so that the user can bring them back. Only agents without a sandbox can change refs, so runs
 * with a sandbox are skipped.
 */
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { Evidence, LostRef } from '../../../formats/evidence.ts';
import { unlessDiskFails } from '../../../formats/file-system/temporary-disk-errors.ts';
import type { RunFiles } from '../../../formats/layout.ts';
import { readValue, replaceJson } from '../../../formats/read-and-write-files.ts';
import { defineFile } from '../../../formats/schema/define-file.ts';
import type { RunState } from '../../../formats/state.ts';
import { git, type Repository } from '../../../workspace/git/run-git.ts';
import {
  lostRefs,
  REF_KINDS,
  type UserRefs,
  unionOfRefs,
  userRefs,
} from '../../../workspace/git/user-refs.ts';
import { keptRef } from '../../../workspace/seal/keep-unsealed-edits.ts';
import type { RunContext } from '../run-context.ts';

const userRefsFile = defineFile(
  'sealed/user-refs.json',
  "The user's branches, tags and stash entries when one of the launches began.",
  z.strictObject({
    refs: z.array(z.string().regex(/^[0-9a-f]+ refs\/[^\n]+$/)).describe('object and full name'),
    unread: z.array(z.enum(REF_KINDS)).describe('kinds that git could not list'),
  }),
);
/** Maximum size of the file in bytes; large, because a repository may have 100,000 tags and more. */
const LIMIT = 256_000_000;
/** Maximum number of objects to keep, because each needs a ref. By default, git keeps the others for two weeks. */
const MAX_KEPT = 1000;
/** Stands for a record that is missing or damaged. */
const UNKNOWN: UserRefs = { refs: [], unread: REF_KINDS };

/** Null if the record is missing or damaged. */
const recordedRefs = (files: RunFiles): Promise<UserRefs | null> =>
  readValue(userRefsFile, files.userRefs, LIMIT);

/** Call before the agent is started. Adds what is new since the last launch. */
export async function recordUserRefs({ files, repo }: RunContext, s: RunState): Promise<void> {
  if (s.setup.sandbox) return;
  const [recorded, now] = await Promise.all([recordedRefs(files), userRefs(repo)]);
  const all = recorded === null && s.launch === 1 ? now : unionOfRefs(recorded ?? UNKNOWN, now);
  if (!isDeepStrictEqual(all, recorded)) await replaceJson(files.userRefs, all);
}

/**
 * Idempotent. `unread_refs` names what could not be read, before a launch or now, and is not compared, and refs whose
 * objects are damaged.
 */
export async function keepLostRefs(
  { files, repo }: RunContext,
  s: RunState,
): Promise<Pick<Evidence, 'lost_refs' | 'unread_refs'>> {
  if (s.setup.sandbox) return {};
  const [recorded, now] = await Promise.all([recordedRefs(files), userRefs(repo)]);
  const { lost, unread } = await lostRefs(repo, recorded ?? UNKNOWN, now);
  const objects = new Set(lost.map(({ object }) => object));
  const damaged = await keepObjects(repo, s.run_id, [...objects].slice(0, MAX_KEPT));
  const isDamaged = ({ object }: LostRef) => damaged.includes(object);
  return {
    lost_refs: lost.filter(ref => !isDamaged(ref)),
    unread_refs: [...unread, ...lost.filter(isDamaged).map(({ ref }) => ref)],
  };
}

/** Returns the objects that git refuses to keep, for example because they are damaged. */
async function keepObjects(repo: Repository, runId: string, objects: readonly string[]): Promise<string[]> {
  const isKept = (some: readonly string[]) =>
    git(repo, ['update-ref', '--stdin'], {
      input: some.map(object => `update ${keptRef(runId, object)} ${object}\n`).join(''),
    }).then(() => true, unlessDiskFails(false));
  if (objects.length === 0 || (await isKept(objects))) return [];
  // Git updates all refs of one call or none.
  const damaged: string[] = [];
  for (const object of objects) if (!(await isKept([object]))) damaged.push(object);
  return damaged;
}
