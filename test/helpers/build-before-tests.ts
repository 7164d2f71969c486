import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from '../../scripts/build.mjs';

/** Tests of commands and of the runner use the built program. */
export default async function setup(): Promise<() => void> {
  // Keeps files of tests out of the user's state folder.
  const state = mkdtempSync(join(tmpdir(), 'dure-tests-state-'));
  process.env['XDG_STATE_HOME'] = state;
  if (process.env['DURE_TEST_BUILT'] !== '1') await build();
  return () => rmSync(state, { recursive: true, force: true, maxRetries: 20 });
}
