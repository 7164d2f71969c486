/**
 * Agents' output to one page, by credit: the page grants bytes as it shows them, and without credit nothing is read.
 * When the agent is far ahead of the page the middle is skipped and said so. The server holds no output at all.
 */
import type { RunFiles } from '../formats/layout.ts';
import type { StreamPiece } from './protocol.ts';
import { LONGEST_LINE, launchesOf, lineStart, readPiece, sizeOf, startOfTail } from './raw-stream.ts';

export const FIRST_CREDIT = 256_000;
const MOST_CREDIT = 4_000_000;
const PIECE = 64_000;
/** Less than this is not worth a message, however little credit is left. */
const LEAST = 4096;
/** How far a page may lie behind before the middle is left out, and how much of the end it is then given. */
const FAR_BEHIND = 1_000_000;
const END_SHOWN = 128_000;
/** No page needs more than thirty pictures a second. */
const FRAME_MS = 33;
const LOOK_MS = 200;

export interface Wanted {
  readonly stream: number;
  readonly files: RunFiles;
  readonly role: string;
  readonly raw: boolean;
  /** A given launch is shown to its end; without one the newest is followed. */
  readonly launch: number | null;
  readonly offset: number | null;
}

export interface OpenStream {
  readonly launch: number | null;
  readonly offset: number;
  grant(bytes: number): void;
  /** Something may have been written. */
  poke(): void;
  close(): void;
}

export async function openStream(wanted: Wanted, send: (piece: StreamPiece) => void): Promise<OpenStream> {
  const { files, role, raw, stream } = wanted;
  let launch = wanted.launch ?? (await launchesOf(files, role)).at(-1) ?? null;
  const file = () => files.stream(role, launch ?? 0);
  let offset = launch === null ? 0 : (wanted.offset ?? (await startOfTail(file(), PIECE)));
  let credit = FIRST_CREDIT;
  let fresh = true;
  let closed = false;
  let pumping = false;
  let again = false;
  let frame: NodeJS.Timeout | null = null;

  /** True when there may be more at once. */
  const pump = async (): Promise<boolean> => {
    if (wanted.launch === null) await follow();
    if (launch === null) return false;
    const skipped = await catchUp();
    const { lines, next } = await readPiece(file(), offset, Math.max(LEAST, Math.min(PIECE, credit)), raw);
    const bytes = next - offset;
    if (closed || (bytes === 0 && skipped === 0)) return false;
    offset = next;
    credit -= bytes;
    if (lines.length > 0 || skipped > 0 || fresh) {
      send({ stream, launch, lines, bytes, offset, skipped, fresh });
      fresh = false;
    } else credit += bytes;
    return true;
  };

  /** Goes to the next launch once all of this one was read. */
  const follow = async () => {
    const launches = await launchesOf(files, role);
    const next = launches.find(n => n > (launch ?? 0));
    if (next === undefined) return;
    if (launch !== null && (await readPiece(file(), offset, PIECE, raw)).next > offset) return;
    launch = next;
    offset = 0;
    fresh = true;
  };

  const catchUp = async (): Promise<number> => {
    const size = await sizeOf(file());
    if (size - offset <= FAR_BEHIND) return 0;
    const to = await lineStart(file(), size - END_SHOWN, LONGEST_LINE);
    const skipped = to - offset;
    offset = to;
    return skipped;
  };

  const run = async (): Promise<void> => {
    if (closed || frame || credit <= 0) return;
    if (pumping) {
      again = true;
      return;
    }
    pumping = true;
    again = false;
    const more = await pump().catch(() => false);
    pumping = false;
    if (closed || (!more && !again)) return;
    frame = setTimeout(() => {
      frame = null;
      void run();
    }, FRAME_MS);
  };

  const timer = setInterval(() => void run(), LOOK_MS);
  setImmediate(() => void run());
  return {
    launch,
    offset,
    grant(bytes) {
      credit = Math.min(MOST_CREDIT, credit + bytes);
      void run();
    },
    poke: () => void run(),
    close() {
      closed = true;
      clearInterval(timer);
      if (frame) clearTimeout(frame);
    },
  };
}
