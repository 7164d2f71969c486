/** Chooses the progress view that suits the output. */
import type { RunFiles } from '../formats/layout.ts';
import { eventLines } from './plain-progress.ts';
import type { Progress } from './progress.ts';

const moves = () => process.stdout.isTTY === true && process.env['TERM'] !== 'dumb' && !process.env['CI'];

export async function chooseProgress(
  files: RunFiles,
  silent: boolean,
  write: (line: string) => void,
): Promise<Progress> {
  if (silent) return eventLines(() => {});
  if (!moves()) return eventLines(write);
  const { listProgress } = await import('./progress.ts');
  return listProgress(files, write);
}
