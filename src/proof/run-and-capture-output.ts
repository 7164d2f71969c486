/** Runs a command and keeps its output: each stream separately, and both interleaved as they were printed. */
import { runCommand } from '../process/run-shell-command.ts';
import type { Command, CommandEnd } from '../process/shell-command-types.ts';
import { type CappedLog, cappedLog } from './capped-output-buffer.ts';

export interface Logged {
  readonly ended: CommandEnd;
  readonly duration_ms: number;
  readonly stdout: CappedLog;
  readonly stderr: CappedLog;
  readonly both: CappedLog;
}

/** `limit` is the maximum size of each log in bytes. Rejects with the signal's reason after an abort. */
export async function runLogged(
  command: Omit<Command, 'onOutput'>,
  limit: number,
  echo?: (chunk: Buffer) => void,
): Promise<Logged> {
  const logs = { stdout: cappedLog(limit), stderr: cappedLog(limit), both: cappedLog(limit) };
  const started = performance.now();
  const ended = await runCommand({
    ...command,
    onOutput(from, chunk) {
      logs[from].write(chunk);
      logs.both.write(chunk);
      echo?.(chunk);
    },
  });
  const duration_ms = Math.round(performance.now() - started);
  command.signal.throwIfAborted();
  return { ended, duration_ms, ...logs };
}
