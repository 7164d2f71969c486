/** Counts the questions that a rehearsed session has asked. */

import { namesIn } from '../../formats/file-system/path-status.ts';
import { exitFile } from '../../formats/launch.ts';
import { runFiles } from '../../formats/layout.ts';
import { readFormat } from '../../formats/read-and-write-files.ts';

/** Counts the exit records of launches of this session that ended with a question. */
export async function countQuestions(runDir: string, session: string): Promise<number> {
  const files = runFiles(runDir);
  const numbers = (await namesIn(files.launches)).flatMap(
    name => /^(\d+)\.exit\.json$/.exec(name)?.[1] ?? [],
  );
  const exits = await Promise.all(numbers.map(n => readFormat(exitFile, files.exit(Number(n)))));
  return exits.filter(e => e.is === 'value' && e.value.session === session && e.value.outcome === 'deferred')
    .length;
}
