/** Programs that only some tests need. If one is missing, those tests are skipped and the reason is printed. */
import { spawnSync } from 'node:child_process';
import { findSandbox } from '../../src/process/sandbox/find-sandbox.ts';

const found = await findSandbox(process.env);

export const HAS_SANDBOX = found.kind !== 'none';
if (found.kind === 'none') console.warn(`tests that need a sandbox are skipped: ${found.why}`);

export const HAS_SSH_KEYGEN = spawnSync('ssh-keygen', ['-?']).error === undefined;
if (!HAS_SSH_KEYGEN) console.warn('tests that sign with an SSH key are skipped: ssh-keygen is not installed');
