/**
 * Removes temporary files of killed processes. Such a file is named after the file that it was meant to replace, or
 * `room.UUID` if it was written to test for free disk space. A recent file may still belong to a running process.
 */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { namesIn, statsOfTarget } from '../../formats/file-system/path-status.ts';
import type { RunFiles } from '../../formats/layout.ts';
import { elapsedSince } from '../../process/timestamp-age.ts';

/** `state.json.1234567890` from write-file-atomic; `3.claim.json.4711.0a1b2c3d`, `build.2.bundle.4711` from Dure. */
const TEMPORARY = /\.(?:json|md|log|txt|patch|sh|bundle)\.\d+(?:\.[0-9a-f]{8})?$|^room\.[0-9a-f-]{36}$/;
const OLD_MS = 60_000;

/** Searches only folders that agents do not write to. */
export async function removeTemporaryFiles(files: RunFiles): Promise<void> {
  const folders = [
    files.dir,
    files.launches,
    files.sealed,
    files.prompts,
    files.requests,
    files.vcrs,
    files.mrp,
    files.feedback,
  ];
  await Promise.all(folders.map(clear));
}

async function clear(folder: string): Promise<void> {
  const names = await namesIn(folder);
  for (const name of names.filter(one => TEMPORARY.test(one))) {
    const file = join(folder, name);
    const found = await statsOfTarget(file);
    if (found?.isFile() && elapsedSince(found.mtimeMs) > OLD_MS) await rm(file, { force: true });
  }
}
