/**
 * Determines which paths are tests. There are two rules: the exam examines every file that may be code, so `isTest`
 * accepts only unmistakable names; checks and coverage treat every file that may be a test as one.
 */
import { isOnlyForTests } from './runner-and-linter-settings.ts';

/** Matches a file whose name marks it as a test, and `test.js` at the top of a repository or package. */
const TEST =
  /[._](?:test|spec|test-d)\.\w+$|(?:^|\/)test_[^/]*\.py$|^(?:packages\/[^/]+\/)?tests?\.[cm]?[jt]sx?$/i;
export const isTest = (path: string): boolean => TEST.test(path);

/** Other files of the project's own tests. Below `src` and `lib`, `spec` and `e2e` may be parts of the program. */
const SUPPORT_FOLDER =
  /(?:^|\/)(?:tests?|__tests__|__mocks__|testdata|fixtures)\/|^(?!(?:.*\/)?(?:src|lib)\/)(?:.*\/)?(?:specs?|e2e)\//i;
/** Files that only tests read, apart from the tests themselves. */
export const isTestSupport = (path: string): boolean =>
  !isTest(path) && (SUPPORT_FOLDER.test(path) || isOnlyForTests(path));

/** Tests and the files beside them, such as snapshots. */
const TEST_FOLDER =
  /(?:^|\/)(?:tests?|specs?|__tests__|__mocks__|__snapshots__|__fixtures__|fixtures|testdata)\//;
const TEST_FILE =
  /(?:^|\/)(?:tests?\.[cm]?[jt]sx?|test_[^/]*\.py|[^/]*[._-](?:test|spec|tests|test-d)\.[cm]?[jt]sx?|[^/]*_test\.(?:go|py|rs|exs)|[^/]*\.snap)$/;
export const isTestOrFixture = (path: string): boolean => TEST_FOLDER.test(path) || TEST_FILE.test(path);
