/**
 * Shows human-readable output of a launch in a pane or a file. Never blocks the agent: drops lines if they arrive
 * faster than they can be written, and shows nothing beyond a limit. The raw log is not affected.
 */
import type { Writable } from 'node:stream';

export interface PaneOutput {
  print(text: string): void;
}

/** Number of characters after which nothing more is shown. */
const CAP = 20_000_000;

export function paneOutput(out: Writable): PaneOutput {
  let shown = 0;
  let missed = 0;
  // A closed pane does not end the launch.
  out.on('error', () => {});
  return {
    print(text) {
      if (shown >= CAP) return;
      if (out.writableNeedDrain) {
        missed += 1;
        return;
      }
      const gap = missed > 0 ? `… ${missed === 1 ? '1 line was' : `${missed} lines were`} not shown\n` : '';
      missed = 0;
      shown += text.length + 1;
      out.write(`${gap}${text}\n${shown >= CAP ? '… more in the raw log\n' : ''}`);
    },
  };
}
