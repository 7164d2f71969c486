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
  /** Bytes of complete lines in the file; the only state, so a batch that could not be written has no effect. */
  let size = (await handle.stat()).size;
  return {
    async append(lines) {
      let batch = '';
      let end = size;
      for (const line of lines) {
        if (PIECE.test(line)) continue;
        const isCapped = end >= cap;
        if (isCapped && !(line.length <= SMALL && OF_THE_ACCOUNT.test(line))) continue;
        batch += `${line}\n`;
        end += Buffer.byteLength(line) + 1;
        if (!isCapped && end >= cap) {
          const notice = `${JSON.stringify({ type: 'dure', subtype: 'log_capped', bytes: cap })}\n`;
          batch += notice;
          end += notice.length;
        }
      }
      if (batch === '') return;
      await handle.appendFile(batch).catch(async error => {
        await handle.truncate(size);
        throw error;
      });
      size = end;
    },
    close: () => handle.close(),
  };
}
