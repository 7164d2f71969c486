/** Reads an untrusted JSON file. A pipe or other special file is reported as a problem and not opened. */
import { lstat, readFile } from 'node:fs/promises';

/** `problem` is one line, or null if the file was read. */
export interface JsonFile {
  readonly value: unknown;
  readonly problem: string | null;
}

export async function readJson(file: string): Promise<JsonFile> {
  const isFile = await lstat(file).then(
    found => found.isFile(),
    () => false,
  );
  if (!isFile) return { value: null, problem: 'it is missing or cannot be read' };
  try {
    return { value: JSON.parse(await readFile(file, 'utf8')), problem: null };
  } catch (error) {
    if (error instanceof SyntaxError) return { value: null, problem: 'it is not JSON' };
    return { value: null, problem: (error as Error).message };
  }
}
