/**
 * Stores an agent's raw stream on disk. Above a size limit, only the lines needed to account for the launch are
 * written.
 */
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { openLog } from '../../formats/open-log.ts';

export interface RawLog {
  append(lines: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

const OF_THE_ACCOUNT =
  /^\{"type":"(?:control_response|rate_limit_event|system","subtype":"(?:init|api_retry))"|"type":"result"/;
/** Maximum size of a line that is kept above the limit. */
const SMALL = 64_000;

export async function rawLog(file: string, cap: number): Promise<RawLog> {
  await mkdir(dirname(file), { recursive: true });
  const handle = await openLog(file, 0o600);
  let written = (await handle.stat()).size;
  let capped = written >= cap;
  return {
    async append(lines) {
      let batch = '';
      for (const line of lines) {
        if (capped) {
          if (line.length <= SMALL && OF_THE_ACCOUNT.test(line)) batch += `${line}\n`;
          continue;
        }
        batch += `${line}\n`;
        if (written + batch.length >= cap) {
          capped = true;
          batch += `${JSON.stringify({ type: 'dure', subtype: 'log_capped', bytes: cap })}\n`;
        }
      }
      if (batch === '') return;
      written += batch.length;
      await handle.appendFile(batch);
    },
    close: () => handle.close(),
  };
}
