/**
 * Splits a test command that names several files into one command per file. In one process, a test that ends
 * the process keeps later tests from running, and those then show nothing. Pure.
 */
const MOST_FILES = 20;

/** Empty if the command does not name at least two of the files. Paths are relative to the folder of the command. */
export function splitTestCommand(command: string, files: readonly string[]): string[] {
  const parts = command.split(/(\s+)/);
  const isFile = (part: string) => files.includes(part.replace(/^\.\//, ''));
  const named = parts.filter(isFile);
  if (named.length < 2 || named.length > MOST_FILES) return [];
  return named.map(file =>
    parts
      .filter(part => part === file || !isFile(part))
      .join('')
      .trim(),
  );
}
