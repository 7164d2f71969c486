/** Checks, before a command starts a run or waits for its driver, that the project's leader could drive the run. */

import { privateKeys } from '../core/run/record/hmac-key.ts';
import { dureError } from '../errors.ts';
import type { ProjectFiles } from '../formats/layout.ts';
import { environmentOf, isSuspended } from '../process/proc-table.ts';
import { stateFolders } from '../workspace/user-state-folder.ts';
import { leaderOf } from './leader-election.ts';

/**
 * `key` is the id of the run's key. Throws `E_LEADER_SUSPENDED`, and `E_OTHER_STATE_FOLDER` if the leader does not find
 * this key in its state folders. Both are detected only on Linux, and the second only if this user may read the
 * leader's environment.
 */
export async function expectLeaderCanDrive(project: ProjectFiles, key: string): Promise<void> {
  const leader = await leaderOf(project);
  if (!leader || leader.pid === process.pid) return;
  if (isSuspended(leader.pid)) throw dureError('E_LEADER_SUSPENDED', { pid: leader.pid });
  const variables = environmentOf(leader.pid).filter(variable => variable !== '');
  if (variables.length === 0) return;
  const env = Object.fromEntries(
    variables.map(variable => /^(.*?)=(.*)$/s.exec(variable)?.slice(1) ?? [variable, '']),
  );
  if (privateKeys(env).some(({ id }) => id === key)) return;
  throw dureError('E_OTHER_STATE_FOLDER', {
    pid: leader.pid,
    theirs: stateFolders(env)[0]!,
    own: stateFolders()[0]!,
  });
}
