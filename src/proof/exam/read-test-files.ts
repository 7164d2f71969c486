/** Reads the sealed test files in languages that the exam knows. */
import { readSealedTests } from '../../workspace/sealed-tests.ts';
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
  const tests = await readSealedTests(repository, tests_tree);
  return tests.flatMap(({ path, kind, bytes }) => {
    const language = kind === 'link' ? null : languageOfFile(path);
    return language ? [{ path, text: bytes.toString(), language }] : [];
  });
}
