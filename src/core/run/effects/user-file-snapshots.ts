/** Takes a snapshot of the user's own files and settings at each launch. The pack lists what changed in between. */
import { basename, join } from 'node:path';
import { z } from 'zod';
import { unlessDiskFails } from '../../../formats/file-system/temporary-disk-errors.ts';
import { readValue, replaceJson } from '../../../formats/read-and-write-files.ts';
import { defineFile } from '../../../formats/schema/define-file.ts';
import type { RunState } from '../../../formats/state.ts';
import {
  type UserFileFingerprints,
  userFileFingerprints,
} from '../../../workspace/user-file-fingerprints.ts';
import type { UserFileSnapshot } from '../../policy/user-file-changes.ts';
import type { RunContext } from '../run-context.ts';

const snapshotFile = defineFile(
  'sealed/around.*.json',
  "The person's uncommitted files and settings when a launch began; null when they could not be read.",
  z.strictObject({ around: z.record(z.string(), z.string()).nullable() }),
);
const fileOf = (context: RunContext, launch: number) => join(context.files.sealed, `around.${launch}.json`);

/** Call right after the agent starts, so that the agent does not have to wait for the snapshot. */
export const saveUserFileSnapshot = async (context: RunContext, launch: number): Promise<void> =>
  replaceJson(fileOf(context, launch), { around: await takeSnapshot(context) });

/** Returns the snapshots of all launches, followed by one of the current state. */
export async function readUserFileSnapshots(context: RunContext, s: RunState): Promise<UserFileSnapshot[]> {
  const launches = Array.from({ length: s.launch }, (_, i) => i + 1);
  const taken = await Promise.all(
    launches.map(async launch => {
      const read = await readValue(snapshotFile, fileOf(context, launch));
      return read ? [{ launch, ...read }] : [];
    }),
  );
  return [...taken.flat(), { launch: s.launch + 1, around: await takeSnapshot(context) }];
}

const takeSnapshot = ({ repo, project, files }: RunContext): Promise<UserFileFingerprints | null> =>
  userFileFingerprints(repo, project, basename(files.dir)).catch(unlessDiskFails(null));
