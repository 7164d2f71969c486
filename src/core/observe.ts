/**
 * Looks at a whole run directory. What an agent wrote badly becomes a value here, never an exception,
 * and half-written is "not yet" while its writer lives. One thing is done and not only looked at: what a killed runner
 * has left alive is ended before its account is read, or that would go on growing.
 */
import { createHash } from 'node:crypto';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { ZodType, z } from 'zod';
import { isAlive } from '../agents/identity.ts';
import { reap } from '../agents/kill.ts';
import { accountFromLog } from '../agents/streams/account.ts';
import { checksOutputFile } from '../formats/checks.ts';
import { crpFile } from '../formats/consultation.ts';
import { defineFile, type FileFormat } from '../formats/define.ts';
import { load, parseFormat, readFormat, readText } from '../formats/file.ts';
import { claimFile, delayFile, type Exit, exitFile } from '../formats/launch.ts';
import type { RunFiles } from '../formats/layout.ts';
import type { RunState, Step } from '../formats/state.ts';
import { clarificationsFile, resultsFile, testConfigFile, testOutputFile } from '../formats/tests.ts';
import { verdictFile } from '../formats/verdict.ts';
import { feedbackFile, type Wish, type WishName, wishFiles } from '../formats/wish.ts';
import { isOver } from './evolve.ts';
import { currentStep } from './pipeline.ts';
import type { Seen } from './seen.ts';
import { readAnswers } from './wishes.ts';

/** What plugins add to the look: the verdicts that mean something, and the shapes of their roles' files. */
export interface Vocabulary {
  readonly verdicts: readonly string[];
  readonly shapes: Readonly<Record<string, ZodType>>;
}

/** Milliseconds after which a file beside its flag counts as wholly written. */
const SETTLE_MS = 3000;

export async function observe(files: RunFiles, s: RunState, words: Vocabulary): Promise<Seen> {
  const step = currentStep(s);
  const since = s.since;
  const [
    claimed,
    flagAge,
    error,
    verdict,
    proof,
    delay,
    checks,
    exits,
    questions,
    answers,
    stop,
    approve,
    retry,
    extend,
    feedback,
  ] = await Promise.all([
    isClaimed(files, s),
    // Dure's own steps end with their process: a file before that may be anyone's.
    step.kind === 'agent' ? ageOf(join(files.dir, step.flag)) : null,
    readNote(files.errorOf(step.folder), s.ended !== null),
    readFormat(verdictFile, files.verdict),
    step.kind === 'proof' ? readFormat(testOutputFile, files.testOutput) : null,
    s.since === null ? null : readFormat(delayFile, files.delay(s.launch)),
    step.kind === 'checks' ? readFormat(checksOutputFile, files.checks) : null,
    readExits(files, s),
    readQuestions(files, s),
    s.waiting ? readAnswers(files) : [],
    readWish(files, s, 'stop'),
    readWish(files, s, 'approve'),
    readWish(files, s, 'retry'),
    readWish(files, s, 'extend'),
    s.phase === 'ready_for_merge' ? readFormat(feedbackFile, files.feedbackOf(s.feedbacks + 1)) : null,
  ]);
  const during = <W extends { asked_at: string }>(wish: W | null) =>
    wish && since && wish.asked_at >= since ? wish : null;
  return {
    at: new Date().toISOString(),
    claimed,
    flag: flagAge !== null,
    settled: flagAge !== null && flagAge > SETTLE_MS,
    error,
    outputs: await problemOfOutputs(files, step, words),
    verdict: verdict.is === 'value' ? verdict.value : null,
    proof: proof?.is === 'value' ? proof.value : null,
    delay: delay?.is === 'value' ? delay.value.reason : null,
    checks: checks?.is === 'value' ? checks.value : null,
    exits,
    ...questions,
    answers,
    stop,
    approve,
    retry: during(retry),
    extend: during(extend),
    feedback: feedback?.is === 'value' ? feedback.value : null,
  };
}

/** A launch is taken after it was written. One that is over may have been withdrawn between the two. */
const isClaimed = async (files: RunFiles, s: RunState): Promise<boolean> =>
  (await isThere(files.claim(s.launch))) && (isOver(s) || (await isThere(files.launch(s.launch))));

const isThere = async (file: string) => (await ageOf(file)) !== null;

/** Milliseconds since the file was written, or null. A link or pipe counts as a flag: what it says is never read. */
async function ageOf(file: string): Promise<number | null> {
  const found = await stat(file).catch(() => null);
  return found && Date.now() - found.mtimeMs;
}

/** An empty note is one whose text is still to come, while its writer lives and it is young. */
async function readNote(file: string, ended: boolean): Promise<string | null> {
  try {
    const note = (await readText(file))?.slice(0, 4000) ?? null;
    return note === '' && !ended && ((await ageOf(file)) ?? 0) < SETTLE_MS ? null : note;
  } catch (error) {
    return `error.flag cannot be read: ${(error as Error).message}`;
  }
}

async function readWish<N extends WishName>(files: RunFiles, s: RunState, name: N): Promise<Wish<N> | null> {
  const read = await readFormat(wishFiles[name] as FileFormat, files.wish(name));
  if (read.is !== 'value') return null;
  const wish = read.value as Wish<N>;
  return s.wishes_done[name] === wish.asked_at ? null : wish;
}

/** Files with a shape that are checked when they are there, required or not. */
const FORMATS: readonly FileFormat[] = [
  clarificationsFile,
  testConfigFile,
  resultsFile,
  verdictFile,
  testOutputFile,
  checksOutputFile,
];

/** What Dure itself writes in a folder of an agent. */
const OWN: readonly FileFormat[] = [testOutputFile, checksOutputFile];

/** All that is wrong with what the step must leave, in words for the agent; null when nothing is. */
async function problemOfOutputs(files: RunFiles, step: Step, words: Vocabulary): Promise<string | null> {
  const optional = FORMATS.filter(format => step.kind === 'agent' && !OWN.includes(format))
    .map(format => format.name)
    .filter(name => name.startsWith(`${step.folder}/`));
  const checks = await Promise.all([
    ...step.outputs.map(output => checkRequired(files, output, words)),
    ...optional.filter(name => !step.outputs.includes(name)).map(name => checkShape(files, name, words)),
  ]);
  const problems = checks.filter(problem => problem !== null);
  return problems.length > 0 ? problems.join('\n') : null;
}

async function checkRequired(files: RunFiles, output: string, words: Vocabulary): Promise<string | null> {
  const path = join(files.dir, output);
  const found = await stat(path).catch(() => null);
  if (!found) return `${output} is missing`;
  if (found.isDirectory()) return (await hasFile(path)) ? null : `${output} has no files`;
  if (found.size === 0) return `${output} is empty`;
  return checkShape(files, output, words);
}

async function hasFile(dir: string): Promise<boolean> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries.some(entry => entry.isFile());
}

async function checkShape(files: RunFiles, output: string, words: Vocabulary): Promise<string | null> {
  const shape = words.shapes[output];
  const format = FORMATS.find(f => f.name === output) ?? (shape && defineFile(output, '', shape));
  if (!format) return null;
  const read = await readFormat(format, join(files.dir, output));
  if (read.is === 'invalid') return `${output} is not valid: ${read.problem}`;
  if (read.is === 'absent' || output !== verdictFile.name) return null;
  const { verdict } = read.value as z.infer<typeof verdictFile.shape>;
  return words.verdicts.includes(verdict)
    ? null
    : `${output} is not valid: verdict: ${verdict} is none of ${words.verdicts.join(', ')}`;
}

/** Open launches that ended, with or without a word. */
async function readExits(files: RunFiles, s: RunState): Promise<Seen['exits']> {
  const read = await Promise.all(
    s.open.map(async ({ launch, role }) => {
      const exit = await readExit(files, launch);
      if (exit) return { launch, exit, lost: false };
      const claim = await load(claimFile, files.claim(launch));
      if (!claim || isAlive(claim.runner)) return null;
      const late = await readExit(files, launch); // written between the two looks
      if (late) return { launch, exit: late, lost: false };
      // Its agent may have outlived it: nobody would hear, stop or count it any more.
      reap(files.dir, launch);
      return { launch, exit: await lostExit(files, role, launch), lost: true };
    }),
  );
  return read.filter(ended => ended !== null);
}

const readExit = (files: RunFiles, launch: number): Promise<Exit | null> =>
  load(exitFile, files.exit(launch));

async function lostExit(files: RunFiles, role: string, launch: number): Promise<Exit> {
  const account = await accountFromLog(files.stream(role, launch)).catch(() => null);
  return {
    launch,
    code: null,
    signal: 'SIGKILL',
    outcome: 'error',
    kind: 'crash',
    message: 'the agent and its runner were killed',
    retry_at: null,
    session: account?.session ?? null,
    question: null,
    usage: account?.usage ?? null,
    session_cost_usd: account?.session_cost_usd ?? null,
    ended_at: new Date().toISOString(),
  };
}

type Questions = Pick<Seen, 'questions' | 'badQuestion'>;

async function readQuestions(files: RunFiles, s: RunState): Promise<Questions> {
  const names = (await readdir(files.crps).catch(() => [] as string[]))
    .filter(name => name.endsWith('.json'))
    .sort();
  const questions: Seen['questions'][number][] = [];
  let badQuestion: Seen['badQuestion'] = null;
  for (const name of names) {
    const id = name.slice(0, -'.json'.length);
    const found = await readText(files.crp(id)).then(
      text => readQuestion(id, text),
      ({ message }: Error) => ({ problem: message, hash: hashOf(message) }),
    );
    if (found === null || s.known[id] === found.hash) continue;
    if ('problem' in found) badQuestion ??= { file: id, ...found };
    // Dure marks a question so once it is answered.
    else if (id in s.known && found.crp.status === 'resolved') continue;
    else if (found.crp.created_by !== 'dure') questions.push({ file: id, ...found });
  }
  return { questions, badQuestion };
}

type Question = { hash: string; crp: z.infer<typeof crpFile.shape> } | { hash: string; problem: string };

function readQuestion(id: string, text: string | null): Question | null {
  if (text === null) return null;
  const read = parseFormat(crpFile, text);
  if (read.is === 'absent') return null;
  const hash = hashOf(text);
  if (read.is === 'invalid') return { hash, problem: read.problem };
  if (read.value.crp_id !== id) return { hash, problem: `crp_id: expected ${id}, as the file is called` };
  return { hash, crp: read.value };
}

/** Tells one text of a question from another. */
export const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16);
