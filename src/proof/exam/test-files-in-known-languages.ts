/** Selects the sealed test files in languages that the exam knows. */
import type { SealedTest } from '../../workspace/read-and-commit-sealed-tests.ts';
import { type CodeLanguage, languageOfFile } from './syntax/languages.ts';

export interface TestFile {
  readonly path: string;
  readonly text: string;
  readonly language: CodeLanguage;
}

export const testFilesIn = (tests: readonly SealedTest[]): TestFile[] =>
  tests.flatMap(({ path, kind, bytes }) => {
    const language = kind === 'link' ? null : languageOfFile(path);
    return language ? [{ path, text: bytes.toString(), language }] : [];
  });
