/** Reads from the run folder what a rehearsed session has asked, and the user's answer. */
import { type Vcr, vcrFile } from '../../formats/crp-and-vcr.ts';
import { namesIn } from '../../formats/file-system/path-status.ts';
import { exitFile } from '../../formats/launch.ts';
import { runFiles } from '../../formats/layout.ts';
import { parseFormat, readFormat, readText } from '../../formats/read-and-write-files.ts';

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

export interface RehearsedAnswer {
  /** Id of the chosen option, or OTHER; empty if nothing has been decided. */
  readonly decision: string;
  /** The complete answer. */
  readonly answer: string;
}

/** Returns the answer in the file that this launch was resumed with, or else the latest decision of the run. */
export async function answerIn(runDir: string, file: string | null): Promise<RehearsedAnswer> {
  const text = file === null ? null : await readText(file);
  const given = text === null ? null : parseFormat(vcrFile, text);
  if (given?.is === 'value') return answerFrom(given.value);
  const latest = await latestDecision(runDir);
  return text === null ? latest : { ...latest, answer: text.trim() };
}

async function latestDecision(runDir: string): Promise<RehearsedAnswer> {
  const files = runFiles(runDir);
  const ids = (await namesIn(files.vcrs)).flatMap(name => /^(vcr-\d+)\.json$/.exec(name)?.[1] ?? []);
  const last = ids.sort().at(-1);
  const read = last === undefined ? null : await readFormat(vcrFile, files.vcr(last));
  return read?.is === 'value' ? answerFrom(read.value) : { decision: '', answer: '' };
}

const answerFrom = ({ decision, rationale }: Vcr): RehearsedAnswer => ({
  decision,
  answer: rationale ? `${decision}: ${rationale}` : decision,
});
