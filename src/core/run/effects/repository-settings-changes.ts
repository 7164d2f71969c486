/**
 * Finds what changed in the repository and in Dure's configuration since a run began. The user has to confirm these
 * changes.
 */

import type { ProjectFiles, RunFiles } from '../../../formats/layout.ts';
import { runIdOf } from '../../../formats/layout.ts';
import { shortHash } from '../../../formats/text/sha256.ts';
import { repositorySettingsFingerprints } from '../../../workspace/git/repository-settings-fingerprints.ts';
import type { Repository } from '../../../workspace/git/run-git.ts';
import { changedNames } from '../../policy/user-file-changes.ts';
import { spelledOut } from '../../text/markdown-quote.ts';
import { firstEvent } from '../record/read-run-record.ts';

export interface RepositoryChanges {
  /** Escaped by `spelledOut`, because agents choose the names of settings and files. */
  readonly names: readonly string[];
  /** Identifies exactly these changes: an approval that accepts them does not accept later ones. */
  readonly digest: string;
}

/** Null if nothing changed, or if the log does not say how the run began. */
export async function repositorySettingsChanges(
  repo: Repository,
  project: ProjectFiles,
  files: RunFiles,
): Promise<RepositoryChanges | null> {
  const first = await firstEvent(files);
  if (!first) return null;
  const now = await repositorySettingsFingerprints(repo, project, runIdOf(files));
  const names = changedNames(first.repository, now);
  if (names.length === 0) return null;
  const digest = shortHash(JSON.stringify(names.map(name => [name, now[name] ?? null])));
  return { names: names.map(spelledOut), digest };
}

/** Formats names as part of a message, one per line. */
export const listed = (names: readonly string[]): string => names.map(name => `  ${name}`).join('\n');
