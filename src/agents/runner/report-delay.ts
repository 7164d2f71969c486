/** Reports delays of the running agent to the driver, in a file of the launch that is rewritten on each change. */

import { replaceJson } from '../../formats/read-and-write-files.ts';
import type { JsonObject } from '../../formats/schema/json-access.ts';
import { delayAfter } from '../streams/api-delay.ts';

export interface DelayReporter {
  onEvent(event: JsonObject): void;
  /** Resolves when everything reported so far has been written. */
  flush(): Promise<void>;
}

export function delayReporter(file: string): DelayReporter {
  let reason: string | null = null;
  let last = Promise.resolve();
  return {
    onEvent(event) {
      const now = delayAfter(reason, event);
      if (now === reason) return;
      reason = now;
      // If this file cannot be written, neither can the log, and failing to write the log ends the launch.
      last = last.then(() => replaceJson(file, { reason: now })).catch(() => {});
    },
    flush: () => last,
  };
}
