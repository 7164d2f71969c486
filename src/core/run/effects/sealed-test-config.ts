/** Reads the test configuration from the sealed files of its step. */

import { parseFormat } from '../../../formats/read-and-write-files.ts';
import { type TestConfig, testConfigFile } from '../../../formats/test-config-and-results.ts';
import { readBlob } from '../../../workspace/git/read-blobs.ts';
import type { Repository } from '../../../workspace/git/run-git.ts';

/** Reads the configuration that was sealed with the tests, not the current file. */
export async function sealedConfig(repo: Repository, commit: string): Promise<TestConfig | null> {
  const blob = await readBlob(repo, commit, 'test-config.json');
  const read = blob && parseFormat(testConfigFile, blob.toString());
  return read?.is === 'value' ? read.value : null;
}
