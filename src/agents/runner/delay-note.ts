/** Tells the driver what holds up an agent at work, in a file of the launch that is written when that changes. */
import { replaceJson } from '../../formats/file.ts';
import { delayAfter } from '../streams/delay.ts';
import type { Loose } from '../streams/loose.ts';

export interface DelayNote {
  hear(event: Loose): void;
  /** When everything heard so far is written. */
  written(): Promise<void>;
}

export function delayNote(file: string): DelayNote {
  let reason: string | null = null;
  let last = Promise.resolve();
  return {
    hear(event) {
      const now = delayAfter(reason, event);
      if (now === reason) return;
      reason = now;
      // Who cannot write this cannot write its log either, and ends for that.
      last = last.then(() => replaceJson(file, { reason: now })).catch(() => {});
    },
    written: () => last,
  };
}
