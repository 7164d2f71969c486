/**
 * A named pipe for the output of a command. Node's own pipes are sockets, which cannot be reopened through
 * /dev/stdout, as options like `--junitxml=/dev/stdout` require.
 */
import { execFile } from 'node:child_process';
import { closeSync, constants, openSync } from 'node:fs';
import { Socket } from 'node:net';
import { promisify } from 'node:util';

export interface OutputFifo {
  /** The write end, for the command. */
  readonly writeEnd: number;
  /**
   * Closes this process's copy of the write end; call it once the command has its own. The output ends when no process
   * holds the write end.
   */
  handOver(): void;
  /** Settles when all output has been read. */
  readonly ended: Promise<unknown>;
  /** Stops reading. */
  close(): void;
}

/** `path` must not exist. */
export async function openOutputFifo(path: string, onData: (chunk: Buffer) => void): Promise<OutputFifo> {
  await promisify(execFile)('mkfifo', ['-m', '600', path], { timeout: 10_000 });
  // Without O_NONBLOCK, open would wait for the other end.
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
