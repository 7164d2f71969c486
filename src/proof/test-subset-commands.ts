/**
 * Splits a test command into commands that run some of its tests. A test that ends the process keeps later tests in
 * the same process from running, so nothing is known about them. Pure.
 */
const MAX_FILES = 20;

/**
 * One command per file. Empty if the command does not name at least two of the files. Paths are relative to the
 * folder of the command.
 */
export function commandPerTestFile(command: string, files: readonly string[]): string[] {
  const parts = command.split(/(\s+)/);
  const isFile = (part: string) => files.includes(part.replace(/^\.\//, ''));
  const named = parts.filter(isFile);
  if (named.length < 2 || named.length > MAX_FILES) return [];
  return named.map(file =>
    parts
      .filter(part => part === file || !isFile(part))
      .join('')
      .trim(),
  );
}

const GO_TEST = /(?:^|&&\s*)(?:\w+=\S*\s+)*go\s+test\s(?!.*\s-args\b)[^|&;<>()#]*$/;
const GO_TEST_ID = /^[^\s:]+::(Test[\p{L}\p{N}_]*)(?:\/|$)/u;

/**
 * The command for Go tests with these ids; null if the command does not end with `go test`, or if no id belongs to a
 * Go test.
 */
export function goCommandForTests(command: string, ids: readonly string[]): string | null {
  const names = new Set(ids.flatMap(id => GO_TEST_ID.exec(id)?.[1] ?? []));
  // If there are several `-run` options, go uses the last.
  return names.size > 0 && GO_TEST.test(command)
    ? `${command.trim()} -run '^(${[...names].join('|')})$'`
    : null;
}
