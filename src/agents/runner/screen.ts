/**
 * What people see of a launch: lines in a pane or in a file. Never in the agent's way: what a slow reader cannot
 * take is left out, and after a cap nothing follows, for the raw log has it all.
 */
import type { Writable } from 'node:stream';

export interface Screen {
  say(text: string): void;
}

export function screenOn(out: Writable, cap = 20_000_000): Screen {
  let shown = 0;
  let missed = 0;
  // A pane that was closed is no reason to stop working.
  out.on('error', () => {});
  return {
    say(text) {
      if (shown >= cap) return;
      if (out.writableNeedDrain) {
        missed += 1;
        return;
      }
      const gap = missed > 0 ? `… ${missed} lines were not shown\n` : '';
      missed = 0;
      shown += text.length + 1;
      out.write(`${gap}${text}\n${shown >= cap ? '… and more, which the raw log keeps\n' : ''}`);
    },
  };
}
