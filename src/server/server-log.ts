/**
 * The server log, for unexpected errors. It is opened once and truncated when it reaches its limit. If it cannot be
 * opened or written, the server runs without it.
 */
import type { FileHandle } from 'node:fs/promises';
import { openForAppend } from '../formats/open-file-for-append.ts';
import { withoutSecrets } from '../process/redact-secrets.ts';

export const SERVER_LOG_LIMIT = 1_000_000;
const MAX_ENTRY_CHARS = 16_000;

export interface ServerLog {
  note(error: unknown): void;
  close(): Promise<void>;
}

export function serverLog(file: string): ServerLog {
  let opened: Promise<FileHandle | null> | null = null;
  let last: Promise<void> = Promise.resolve();

  const add = async (entry: string): Promise<void> => {
    opened ??= openForAppend(file).catch(() => null);
    const handle = await opened;
    if (!handle) return;
    const { size } = await handle.stat();
    if (size + Buffer.byteLength(entry) > SERVER_LOG_LIMIT) await handle.truncate();
    await handle.appendFile(entry);
  };

  return {
    note(error) {
      const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
      const entry = `${new Date().toISOString()} ${withoutSecrets(text.slice(0, MAX_ENTRY_CHARS))}\n`;
      last = last.then(() => add(entry)).catch(() => {});
    },
    async close() {
      await last;
      await (await opened)?.close();
      opened = Promise.resolve(null);
    },
  };
}
