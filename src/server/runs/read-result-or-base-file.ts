/** Reads a file of a pack's result, or of the base that the result was compared with. */

import { basename } from 'node:path';
import { recordedRepository } from '../../core/run/record/open-recorded-repository.ts';
import type { ProjectFiles, RunFiles } from '../../formats/layout.ts';
import { readBlob } from '../../workspace/git/read-blobs.ts';
import { HttpRefusal } from '../api/http-refusal.ts';
import { packNumbered } from './pack-views.ts';
import { ARTEFACT_LIMIT, type Artefact } from './read-artefact.ts';

/** `side`: `new` for the pack's result, `old` for its base. Throws 404 if the file is missing or too large. */
export async function readPackFile(
  project: ProjectFiles,
  files: RunFiles,
  number: number,
  { side, path }: { side: 'old' | 'new'; path: string },
): Promise<Artefact> {
  const { state } = await packNumbered(files, number);
  const repo = await recordedRepository(project, files);
  const commit = side === 'new' ? state.mrp.commit : state.base;
  const bytes = repo && (await readBlob(repo, commit, path, ARTEFACT_LIMIT));
  if (!bytes) throw new HttpRefusal(404, 'E_NOT_FOUND', 'There is no such file, or it is too large to show.');
  return { name: basename(path), bytes };
}
