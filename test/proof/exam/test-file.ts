/** Fixture: a test file as the exam reads it. */
import { languageOfFile } from '../../../src/proof/exam/syntax/languages.ts';
import type { TestFile } from '../../../src/proof/exam/test-files-in-known-languages.ts';

export const testFile = (path: string, text: string): TestFile => ({
  path,
  text,
  language: languageOfFile(path)!,
});
