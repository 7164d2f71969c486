/** Plays the moves of a launch in order and reports them as a coding agent would. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Move } from '../../formats/cassette.ts';
import { jsonText } from '../../formats/schema/strict-json.ts';
import type { Stream } from './claude-stream-writer.ts';
import { fillPlaceholders } from './fill-placeholders.ts';
import { remove, type ShellResult, shell, write } from './perform-move.ts';
import { spentBefore } from './session-cost.ts';

type Variables = Readonly<Record<string, string>>;

export interface PlayContext {
  readonly moves: readonly Move[];
  /** Index of the first move to play: 0, or the one after an answered question. */
  readonly from: number;
  readonly runDir: string;
  readonly stream: Stream;
  /** Values of the `{{…}}` placeholders, except the time. Commands get them as environment variables. */
  readonly variables: Variables;
  /** Fires when the agent is told to stop; the reason is `SIGINT` or `interrupt`. */
  readonly interrupted: AbortSignal;
}

interface Tool {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  run(): Promise<ShellResult>;
}

const CONSULT = 'mcp__dure__consult_human';
const FOREVER = 2 ** 31 - 1;

/** Returns the exit status. An `exit` move prints no result, like a crash, unless a `result` was played before it. */
export async function playMoves(context: PlayContext): Promise<number> {
  const { moves, from, runDir, stream, interrupted } = context;
  const interruptedResult = new Promise<ShellResult>(resolve => {
    interrupted.addEventListener('abort', () => resolve({ text: 'Interrupted.', failed: true }), {
      once: true,
    });
  });
  let changes: Record<string, unknown> | null = null;

  for (const [index, recorded] of [...moves.entries()].slice(from)) {
    const variables = { ...context.variables, now: new Date().toISOString() };
    // Values are not substituted into a command, where the shell would execute them: commands read them from
    // the environment.
    const move = 'sh' in recorded ? recorded : fillPlaceholders(recorded, variables);
    stream.cost = spentBefore(moves, index);
    if (interrupted.aborted) return abort(stream, interrupted.reason);
    if ('say' in move) stream.text(move.say);
    else if ('print' in move) stream.raw(move.print);
    else if ('result' in move) changes = { ...(changes ?? {}), ...move.result };
    else if ('wait' in move) await Promise.race([pause(move.wait), interruptedResult]);
    else if ('ask' in move) return ask(stream, move.ask);
    else if ('kill' in move) await killSelf(move.kill);
    else if ('exit' in move) {
      if (changes) stream.result(changes);
      return move.exit;
    } else if (!('spend' in move)) {
      const tool = toolOf(move, runDir, variables);
      const id = stream.toolUse(tool.name, tool.input);
      const { text, failed } = await Promise.race([tool.run().catch(failedResult), interruptedResult]);
      stream.toolResult(id, text, failed);
    }
  }

  stream.cost = spentBefore(moves, moves.length);
  if (interrupted.aborted) return abort(stream, interrupted.reason);
  stream.result(changes ?? {});
  return changes?.['is_error'] === true ? 1 : 0;
}

function ask(stream: Stream, input: unknown): number {
  const id = stream.toolUse(CONSULT, input);
  stream.result({
    stop_reason: 'tool_deferred',
    terminal_reason: 'tool_deferred',
    deferred_tool_use: { id, name: CONSULT, input },
  });
  return 0;
}

function abort(stream: Stream, reason: unknown): number {
  stream.result({
    subtype: 'error_during_execution',
    is_error: true,
    terminal_reason: 'aborted_tools',
    stop_reason: null,
    result: undefined,
    errors: ['The rehearsal was interrupted.'],
  });
  return reason === 'SIGINT' ? 0 : 1;
}

/** Never returns: a signal may arrive shortly after it was sent, and no move may be played in between. */
async function killSelf(signal: string): Promise<void> {
  process.kill(process.pid, signal);
  await pause(FOREVER);
}

/** Reports a file system error to the agent as a failed tool call. */
const failedResult = (error: Error): ShellResult => ({ text: error.message, failed: true });

type ToolMove = Extract<
  Move,
  { tool: string } | { write: string } | { json: string } | { remove: string } | { sh: string }
>;

function toolOf(move: ToolMove, runDir: string, variables: Variables): Tool {
  if ('tool' in move)
    return { name: move.tool, input: move.input, run: async () => ({ text: '(rehearsed)', failed: false }) };
  if ('sh' in move)
    return { name: 'Bash', input: { command: move.sh }, run: () => shell(runDir, move.sh, variables) };
  if ('remove' in move)
    return {
      name: 'Bash',
      input: { command: `rm -rf ${move.remove}` },
      run: () => remove(runDir, move.remove),
    };
  const [path, text] = 'write' in move ? [move.write, move.text] : [move.json, jsonText(move.value)];
  return { name: 'Write', input: { file_path: path, content: text }, run: () => write(runDir, path, text) };
}
