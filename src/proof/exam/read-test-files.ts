/** Reads the sealed test files in languages that the exam knows. */
import { testPaths } from '../../workspace/add-tests.ts';
import { readBlob } from '../../workspace/git/diff.ts';
import type { ProofJob } from '../run-proof.ts';
import { type CodeLanguage, languageOfFile } from './syntax/languages.ts';

export interface TestFile {
  readonly path: string;
  readonly text: string;
  readonly language: CodeLanguage;
}

export async function readTestFiles({
  tests_tree,
  workspace: { repository },
}: ProofJob): Promise<TestFile[]> {
  const files: TestFile[] = [];
  for (const path of await testPaths(repository, tests_tree)) {
    const language = languageOfFile(path);
    const bytes = language && (await readBlob(repository, tests_tree, `tests/${path}`));
    if (bytes) files.push({ path, text: bytes.toString(), language });
  }
  return files;
}
