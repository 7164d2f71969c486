/**
 * A pipe for what a command prints. A real one, with a name on disk: the pipes that Node makes are sockets, and a socket
 * cannot be opened again through /dev/stdout, as `--junitxml=/dev/stdout` asks.
 */
import { execFile } from 'node:child_process';
import { closeSync, constants, openSync } from 'node:fs';
import { Socket } from 'node:net';
import { promisify } from 'node:util';

export interface OutputPipe {
  /** For the command to write to. */
  readonly writeEnd: number;
  /** The command has it now. The output ends when nothing holds the write end any more, this process included. */
  handOver(): void;
  /** Settles when all has been read. */
  readonly ended: Promise<unknown>;
  /** Reads no more. */
  close(): void;
}

/** There must be nothing at `path`. */
export async function openOutputPipe(path: string, onData: (chunk: Buffer) => void): Promise<OutputPipe> {
  await promisify(execFile)('mkfifo', ['-m', '600', path]);
  // Without O_NONBLOCK this would wait for the other end to be opened.
  const readEnd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const writeEnd = openSync(path, constants.O_WRONLY);
  const reader = new Socket({ fd: readEnd, readable: true, writable: false });
  reader.on('data', onData);
  reader.on('error', () => reader.destroy());
  let held = true;
  const handOver = () => {
    if (held) closeSync(writeEnd);
    held = false;
  };
  return {
    writeEnd,
    handOver,
    ended: new Promise(resolve => reader.once('close', resolve)),
    close() {
      handOver();
      reader.destroy();
    },
  };
}
