/**
 * The program of the rehearsal backend. To the runner it looks like Claude Code, but its first output says that it is
 * a rehearsal. It uses no model, no network and no key; only the cassette determines what it does.
 */
import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import { DureError } from '../errors.ts';
import { streamOf } from './rehearsal/claude-stream-writer.ts';
import { answerIn, countQuestions } from './rehearsal/count-questions-and-read-answer.ts';
import { findCassette } from './rehearsal/find-cassette.ts';
import { readAgentInput } from './rehearsal/handle-standard-input.ts';
import { clear } from './rehearsal/perform-move.ts';
import { playMoves } from './rehearsal/play-moves.ts';
import { movesOf, placeAfter } from './rehearsal/select-moves.ts';
import { spentBefore } from './rehearsal/session-cost.ts';

const { values: asked } = parseArgs({
  options: {
    'run-dir': { type: 'string', default: process.cwd() },
    role: { type: 'string', default: 'builder' },
    mode: { type: 'string', default: '' },
    part: { type: 'string', default: '1' },
    session: { type: 'string', default: 'rehearsal' },
    cassette: { type: 'string', default: 'default' },
    answer: { type: 'string' },
  },
});

async function rehearse(): Promise<number> {
  const { 'run-dir': runDir, role, mode, session, answer = null } = asked;
  const cassette = await findCassette(asked.cassette);
  const moves = movesOf(cassette, { role, mode, part: Number(asked.part) });
  if (!moves)
    throw new RangeError(`the cassette "${cassette.title}" has no part for ${role}${mode && `:${mode}`}`);
  // A resumed session has asked at least one question, even if there is no record of it.
  const from = answer === null ? 0 : placeAfter(moves, Math.max(1, await countQuestions(runDir, session)));
  const stop = new AbortController();
  const interrupt = (reason: 'SIGINT' | 'interrupt') => {
    stop.abort(reason);
    clear();
  };
  process.on('SIGINT', () => interrupt('SIGINT'));
  const costBefore = spentBefore(moves, from);
  const stream = streamOf({ id: session, costBefore }, text => process.stdout.write(text));
  stream.init(runDir);
  await readAgentInput(process.stdin, stream, () => interrupt('interrupt'));
  if (answer === null) stream.text(`This is a rehearsal of "${cassette.title}": no model is used.`);
  else stream.text("The rehearsal continues with the person's answer. No model is used.");
  return playMoves({
    moves,
    from,
    runDir,
    stream,
    variables: { role, run: basename(runDir), ...(await answerIn(runDir, answer)) },
    interrupted: stop.signal,
  });
}

/** On a signal, ends the commands that are still running, then exits, like Claude Code; SIGKILL leaves them behind. */
for (const [name, status] of [
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const)
  process.on(name, () => {
    clear();
    process.exit(status);
  });
// Standard output was closed, so nothing reads it any more.
process.stdout.on('error', () => process.exit(1));

rehearse().then(
  status => process.stdout.write('', () => process.exit(status)),
  (error: unknown) => {
    if (!(error instanceof DureError || error instanceof RangeError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
    process.stdin.destroy();
  },
);
