/**
 * Handles errors on standard output. A closed pipe, as in `dure logs | head -1`, is not a failure. Any other error,
 * such as a full disk behind a log file, is reported once and sets the exit status, but does not end the process: it
 * may be driving a run, whose record is not written to standard output. Node keeps standard output open after an error,
 * so a log file continues once the disk has space again.
 */
import { dureError } from '../errors.ts';
import { asDiskError } from '../formats/file-system/temporary-disk-errors.ts';
import { commandFailure, explain } from './error-output.ts';

/** Must be called before the first output. `failed` resolves at the first error on standard output. */
export function watchOutput(): { readonly failed: Promise<void> } {
  // oclif throws every error on standard output except EPIPE.
  for (const stream of [process.stdout, process.stderr]) stream.removeAllListeners('error');
  // Ignore errors on standard error: there is nowhere left to report them.
  process.stderr.on('error', () => {});
  const failed = new Promise<void>(resolve => {
    let isReported = false;
    process.stdout.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE' && !isReported) {
        isReported = true;
        report(error);
      }
      resolve();
    });
  });
  return { failed };
}

function report(thrown: Error): void {
  const file = 'standard output';
  const error = asDiskError(file, thrown) ?? dureError('E_DISK', { file, why: thrown.message });
  const failure = commandFailure(error);
  process.exitCode ||= failure.exit;
  process.stderr.write(explain(failure, error));
}
