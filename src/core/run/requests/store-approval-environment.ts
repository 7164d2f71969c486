/**
 * Selects the environment for an approval: that of the requesting shell, whichever process drives the run.
 */
import { unlessDiskFails } from '../../../formats/file-system/temporary-disk-errors.ts';
import type { RunFiles } from '../../../formats/layout.ts';
import { approvalEnvironment, type Environment } from '../../policy/environment-allowlist.ts';
import { readApprovalEnvironment, writeApprovalEnvironment } from '../launch/environment-variable-store.ts';
import { expectOptions } from '../record/read-run-record.ts';

export const storeApprovalEnvironment = async (
  files: RunFiles,
  shell: Readonly<Record<string, string | undefined>>,
): Promise<void> => writeApprovalEnvironment(await folderOf(files), approvalEnvironment(shell));

/**
 * An approval in the web UI uses the environment of the shell that last ran `dure approve`, or of this process if there
 * is none.
 */
export const approvalShell = async (files: RunFiles): Promise<Environment> =>
  (await readApprovalEnvironment(await folderOf(files)).catch(unlessDiskFails(null))) ??
  approvalEnvironment(process.env);

const folderOf = async (files: RunFiles): Promise<string> => (await expectOptions(files)).environment;
