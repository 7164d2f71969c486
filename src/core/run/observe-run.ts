/**
 * Reads a whole run folder. Invalid agent output becomes a value, never an exception. An incomplete file
 * counts as missing while its writer is alive. Observing has two side effects: it restores folders of the run that
 * an agent replaced, and, before it reads the exit of a killed runner, it kills the processes that the
 * runner left behind, because they would keep writing.
 */

import { readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { ZodType, z } from 'zod';
import { summaryFromLog } from '../../agents/streams/summary-from-raw-log.ts';
import { minimalExit } from '../../formats/build-minimal-exit.ts';
import { checksOutputFile } from '../../formats/check-results.ts';
import { crpFile } from '../../formats/crp-and-vcr.ts';
import { examOutputFile } from '../../formats/exam/exam-output.ts';
import { namesIn, statsOfTarget } from '../../formats/file-system/path-status.ts';
import { unlessDiskFails } from '../../formats/file-system/temporary-disk-errors.ts';
import { claimFile, delayFile, type Exit, exitFile, type RunnerIdentity } from '../../formats/launch.ts';
import type { RunFiles } from '../../formats/layout.ts';
import { parseFormat, readFormat, readText, readValue } from '../../formats/read-and-write-files.ts';
import { defineFile } from '../../formats/schema/define-file.ts';
import type { RunState, Step } from '../../formats/state.ts';
import { testOutputFile } from '../../formats/test-config-and-results.ts';
import { sha256, shortHash } from '../../formats/text/sha256.ts';
import { verdictFile } from '../../formats/verdict.ts';
import { isAlive } from '../../process/identity.ts';
import { killMarked } from '../../process/kill.ts';
import { elapsedSince } from '../../process/timestamp-age.ts';
import type { Observation } from '../policy/observation.ts';
import { currentStep, isAgentStep } from '../policy/pipeline/look-up-steps.ts';
import { isOver } from '../policy/state/phase.ts';
import { restoreFolders } from './effects/restore-replaced-folders.ts';
import { formatOf, verdictPath } from './effects/step-file-formats.ts';
import { changedInPack } from './pack/pack-integrity.ts';
import { examHash } from './record/recorded-exam.ts';
import { readRequests } from './requests/read-requests-and-answers.ts';

/** What plugins can extend: the verdicts that have a handler, and the shapes of the files that roles write. */
export interface Vocabulary {
  readonly verdicts: readonly string[];
  readonly shapes: Readonly<Record<string, ZodType>>;
}

/** Outputs count as complete this long (ms) after their flag file was written. */
const SETTLE_MS = 3000;

export async function observe(files: RunFiles, s: RunState, words: Vocabulary): Promise<Observation> {
  const step = currentStep(s);
  // Restore the folders before anything is read, so that no link is followed.
  const before = await restoreFolders(files, s);
  const [
    claim,
    flagAge,
    error,
    verdict,
    proof,
    delay,
    exam,
    checks,
    exits,
    questions,
    decisions,
    changedPack,
  ] = await Promise.all([
    claimOf(files, s),
    // Dure's own steps need no flag: they end with their process, and anyone could have written a flag before that.
    isAgentStep(step) ? ageOf(join(files.dir, step.flag)) : null,
    readNote(files.errorOf(step.folder), s.ended !== null),
    step.yields === 'verdict' ? readValue(verdictFile, join(files.dir, verdictPath(step))) : null,
    step.yields === 'proof' ? readValue(testOutputFile, files.testOutput) : null,
    s.since === null ? null : readValue(delayFile, files.delay(s.launch)),
    step.yields === 'exam' ? readValue(examOutputFile, files.exam) : null,
    step.yields === 'checks' ? readValue(checksOutputFile, files.checks) : null,
    readExits(files, s),
    readQuestions(files, s),
    readRequests(files, s),
    s.phase === 'ready_for_merge' ? changedInPack(files, s) : [],
  ]);
  const outputs = await problemOfOutputs(files, step, words);
  // Check again: since then, an agent may have replaced a folder and written its flag.
  const replaced = [...before, ...(await restoreFolders(files, s))];
  return {
    at: new Date().toISOString(),
    claim,
    flag: flagAge !== null,
    settled: flagAge !== null && flagAge > SETTLE_MS,
    error,
    outputs,
    verdict,
    proof,
    delay: delay?.reason ?? null,
    examined: exam && { output: exam, hash: examHash(exam) },
    checks,
    exits,
    ...questions,
    ...decisions,
    changedPack,
    replaced,
  };
}

/**
 * A claim counts only while its launch file exists. If the run is over, the claim alone is enough, because the
 * launch may have been withdrawn after a runner claimed it.
 */
async function claimOf(files: RunFiles, s: RunState): Promise<Observation['claim']> {
  const claim = await readFormat(claimFile, files.claim(s.launch));
  if (claim.is === 'absent' || !(isOver(s) || (await statsOfTarget(files.launch(s.launch))))) return null;
  return claim.is === 'value' ? { runner: claim.value.runner } : {};
}

/**
 * Milliseconds since the file was written; null if it does not exist. A link or pipe counts as a flag, because only its
 * existence matters.
 */
async function ageOf(file: string): Promise<number | null> {
  const found = await statsOfTarget(file);
  return found && elapsedSince(found.mtimeMs);
}

/**
 * Null if there is no note yet: a recently created file may be empty because its writer is alive but has not written
 * to it yet.
 */
async function readNote(file: string, ended: boolean): Promise<string | null> {
  try {
    const note = (await readText(file))?.slice(0, 4000) ?? null;
    return note === '' && !ended && ((await ageOf(file)) ?? 0) < SETTLE_MS ? null : note;
  } catch (error) {
    return `error.flag cannot be read: ${(error as Error).message}`;
  }
}

/** Lists all problems with the step's outputs in a message for the agent; null if there are none. */
async function problemOfOutputs(files: RunFiles, step: Step, words: Vocabulary): Promise<string | null> {
  const optional = isAgentStep(step) ? step.optional : [];
  const checks = await Promise.all([
    ...step.outputs.map(output => checkRequired(files, step, output, words)),
    ...optional.map(output => checkShape(files, step, output, words)),
  ]);
  const problems = checks.filter(problem => problem !== null);
  return problems.length > 0 ? problems.join('\n') : null;
}

async function checkRequired(
  files: RunFiles,
  step: Step,
  output: string,
  words: Vocabulary,
): Promise<string | null> {
  const path = join(files.dir, output);
  const found = await statsOfTarget(path);
  if (!found) return `${output} is missing`;
  if (found.isDirectory()) return problemOfFolder(path, output);
  if (found.size === 0) return `${output} is empty`;
  return checkShape(files, step, output, words);
}

async function problemOfFolder(dir: string, output: string): Promise<string | null> {
  try {
    const entries = await readdir(dir, { recursive: true, withFileTypes: true });
    return entries.some(entry => entry.isFile()) ? null : `${output} has no files`;
  } catch (error) {
    const { code, path = dir } = error as NodeJS.ErrnoException;
    return `${join(output, relative(dir, path))} cannot be read (${code})`;
  }
}

async function checkShape(
  files: RunFiles,
  step: Step,
  output: string,
  words: Vocabulary,
): Promise<string | null> {
  const shape = words.shapes[output];
  const format = formatOf(step, output) ?? (shape && defineFile(output, '', shape));
  if (!format) return null;
  const read = await readFormat(format, join(files.dir, output));
  if (read.is === 'invalid') return `${output} is not valid: ${read.problem}`;
  if (read.is === 'absent' || step.yields !== 'verdict' || output !== verdictPath(step)) return null;
  const { verdict } = read.value as z.infer<typeof verdictFile.shape>;
  return words.verdicts.includes(verdict)
    ? null
    : `${output} is not valid: verdict: ${verdict} is not one of ${words.verdicts.join(', ')}`;
}

/**
 * Finds launches that have ended but are still recorded as open, with or without exit.json. Takes their runners from
 * events.log, because an agent can replace or remove every file of a launch.
 */
async function readExits(files: RunFiles, s: RunState): Promise<Observation['exits']> {
  const read = await Promise.all(
    s.open.map(async ({ launch, role, runner }) => {
      // Checked before the exit record is read: the runner may write that record and end at any moment.
      const isRunning = runner !== undefined && isAlive(runner);
      const exit = await readExit(files, launch, runner);
      if (exit) return { launch, exit, lost: false };
      if (isRunning) return null;
      // The agent may have outlived its runner, and nothing else would record or stop it.
      killMarked(files.dir, launch);
      return { launch, exit: await lostExit(files, role, launch), lost: true };
    }),
  );
  return read.filter(ended => ended !== null);
}

/** An invalid record, or one that another process wrote, counts as missing: the raw log is read instead. */
async function readExit(
  files: RunFiles,
  launch: number,
  runner: RunnerIdentity | undefined,
): Promise<Exit | null> {
  const record = await readValue(exitFile, files.exit(launch));
  if (record === null || sha256(record.token) !== runner?.token_hash) return null;
  const { token: _, ...exit } = record;
  return exit;
}

async function lostExit(files: RunFiles, role: string, launch: number): Promise<Exit> {
  const account = await summaryFromLog(files.stream(role, launch)).catch(unlessDiskFails(null));
  const message = 'the agent and its runner were killed';
  return {
    ...minimalExit(launch, { outcome: 'error', kind: 'crash', message }),
    signal: 'SIGKILL',
    session: account?.session ?? null,
    usage: account?.usage ? { ...account.usage, incomplete: true } : null,
    session_cost_usd: account?.session_cost_usd ?? null,
  };
}

type Questions = Pick<Observation, 'questions' | 'badQuestion'>;

async function readQuestions(files: RunFiles, s: RunState): Promise<Questions> {
  const names = (await namesIn(files.crps)).filter(name => name.endsWith('.json')).sort();
  const questions: Observation['questions'][number][] = [];
  let badQuestion: Observation['badQuestion'] = null;
  for (const name of names) {
    const id = name.slice(0, -'.json'.length);
    const found = await readText(files.crp(id)).then(
      text => readQuestion(id, text),
      ({ message }: Error) => ({ problem: message, hash: shortHash(message) }),
    );
    if (found === null || s.known[id] === found.hash) continue;
    if ('problem' in found) badQuestion ??= { file: id, ...found };
    // Dure itself marks a question as resolved after it is answered, so this is not a new question.
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
  const hash = shortHash(text);
  if (read.is === 'invalid') return { hash, problem: read.problem };
  if (read.value.crp_id !== id) return { hash, problem: `crp_id: expected ${id}, the name of the file` };
  return { hash, crp: read.value };
}
