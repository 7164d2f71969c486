/** Finds report files of a test command: those it names, and the default files of coverage tools and jest-junit. */
import { relative, resolve } from 'node:path';
import { isWithin } from '../formats/file-system/path-containment.ts';
import { unlessDiskFails } from '../formats/file-system/temporary-disk-errors.ts';
import { readText } from '../formats/read-and-write-files.ts';
import type { TestConfig } from '../formats/test-config-and-results.ts';
import { fingerprintsOf } from '../workspace/fingerprint-and-restore-folder.ts';
import type { CommandOutput } from './read-test-results.ts';

const OPTION =
  /(?:--?(?:outputFile|output-file|test-reporter-destination|junit-?xml|coverprofile)(?:\.[\w-]+)?(?:=|\s+)|[\s,]output=)("[^"]+"|'[^']+'|[^\s;&|]+)/gi;
const DEFAULT_FILES = [
  'junit.xml',
  'coverage/coverage-summary.json',
  'coverage/coverage-final.json',
  'coverage/lcov.info',
  'lcov.info',
];

/** Records the current state of the files and returns a function that reads those written since. */
export async function watchReports(
  cwd: string,
  config: TestConfig,
  limit: number,
): Promise<() => Promise<CommandOutput['files']>> {
  const folders = [cwd, resolve(cwd, config.test_directory)];
  const named = [...config.test_command.matchAll(OPTION)].map(match => match[1]!.replace(/^["']|["']$/g, ''));
  const paths = new Set(
    folders.flatMap(folder => [...named, ...DEFAULT_FILES].map(name => resolve(folder, name))),
  );
  const candidates = [...paths].filter(path => isWithin(cwd, path));
  const before = await fingerprintsOf(candidates);
  return async () => {
    const after = await fingerprintsOf(candidates);
    const files: { name: string; text: string }[] = [];
    for (const path of candidates) {
      // A report that was committed with the tree does not belong to this run of the tests.
      if (after.get(path) === before.get(path)) continue;
      const text = await readText(path, limit).catch(unlessDiskFails(null));
      if (text !== null) files.push({ name: relative(cwd, path), text });
    }
    return files;
  };
}
