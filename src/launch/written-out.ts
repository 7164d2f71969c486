/** Standard output without its stream: loading that takes longer than all the rest of a short answer. */
import { writeSync } from 'node:fs';

export function written(text: string): void {
  let left = Buffer.from(text);
  while (left.length > 0) {
    try {
      left = left.subarray(writeSync(1, left));
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      // Who has heard enough closes the pipe.
      if (code === 'EPIPE') return;
      if (code !== 'EAGAIN') throw error;
      // Another process made the pipe non-blocking, and it is full: the stream knows how to wait.
      process.stdout.write(left);
      return;
    }
  }
}
