/** The English messages of `dure approve`. */
export const enApprove = {
  stillMerging: (run: string) =>
    `Still waiting for the merge. Git hooks and filters can take a while; \`dure status ${run}\` shows whether a driver is running.`,
  continues: (run: string) =>
    `The approval of ${run} is recorded; the merge continues in the background. See how it ends: \`dure status ${run}\`.`,
  changed: (names: string) =>
    `These settings or files have changed since the run began, possibly because of an agent:\n${names}`,
  accept: 'Approve anyway?',
  askTests: (paths: readonly string[]) =>
    `The Verifier's tests ran on this result. The project's checks ran without them.\n${paths.slice(0, 10).join('\n')}\nAdd ${paths.length === 1 ? 'it' : `these ${paths.length} files`} to the commit?`,
  withoutTests: (n: number) =>
    `Leaving out the Verifier's ${n === 1 ? 'test file' : `${n} test files`}; use --with-tests to add ${n === 1 ? 'it' : 'them'}.`,
};
