/** Opens the repository in which a run began, as the run recorded it. */

import type { RunOptions } from '../../../formats/config/run-options.ts';
import type { ProjectFiles, RunFiles } from '../../../formats/layout.ts';
import { repositoryOfRun } from '../../../workspace/git/open-repository.ts';
import type { Repository } from '../../../workspace/git/run-git.ts';
import { readOptions } from './read-run-record.ts';

/** Null if the log does not say how the run began. */
export async function recordedRepository(project: ProjectFiles, files: RunFiles): Promise<Repository | null> {
  const options = await readOptions(files);
  return options && repositoryOfRun(project, options);
}

/** Like `recordedRepository`, but for a run without a record, returns the project's repository. */
export const recordedOrOwnRepository = async (project: ProjectFiles, files: RunFiles): Promise<Repository> =>
  repositoryOfRun(project, (await readOptions(files)) ?? UNRECORDED);

const UNRECORDED: Pick<RunOptions, 'shadow'> = { shadow: false };
