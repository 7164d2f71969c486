/**
 * Stores an agent's raw stream on disk. Above a size limit, only the lines needed to account for the launch are
 * written.
 */
import { dirname } from 'node:path';
import { openForAppend } from '../../formats/open-file-for-append.ts';
import { makeFolder } from '../../formats/read-and-write-files.ts';

export interface RawLog {
  append(lines: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

const OF_THE_ACCOUNT =
  /^\{"type":"(?:control_response|rate_limit_event|system","subtype":"(?:init|api_retry))"|"type":"result"/;
/**
 * Partial messages whose full text follows. They are omitted, because a secret split across them would not be
 * recognized.
 */
const PIECE = /^\{"type":"stream_event","event":\{"type":"content_block_delta"/;
/** Maximum size of a line that is still written once the log has reached its size limit. */
const SMALL = 64_000;

export async function rawLog(file: string, cap: number): Promise<RawLog> {
  await makeFolder(dirname(file));
  const handle = await openForAppend(file);
  /** Bytes of complete lines in the file. */
  let size = (await handle.stat()).size;
  let written = size;
  let capped = written >= cap;
  return {
    async append(lines) {
      let batch = '';
      for (const line of lines) {
        if (PIECE.test(line)) continue;
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
      await handle.appendFile(batch).catch(async error => {
        await handle.truncate(size);
        throw error;
      });
      size += Buffer.byteLength(batch);
      written += batch.length;
    },
    close: () => handle.close(),
  };
}
