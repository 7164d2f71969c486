/** Writes the bell character only to a terminal: in a log file it would be noise. */
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';

const BELL = '\x07';
/** Errors that mean that there is no controlling terminal, as in a daemon or in CI. */
const NO_TERMINAL = ['ENXIO', 'ENOENT', 'ENOTTY', 'EACCES', 'EIO'];

export async function ring(
  stream: { readonly isTTY?: boolean; write(text: string): unknown },
  device = '/dev/tty',
): Promise<void> {
  if (stream.isTTY) {
    stream.write(BELL);
    return;
  }
  try {
    const terminal = await open(device, constants.O_WRONLY | constants.O_NOCTTY | constants.O_NONBLOCK);
    try {
      await terminal.write(BELL);
    } finally {
      await terminal.close();
    }
  } catch (error) {
    if (!NO_TERMINAL.includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}
