/**
 * Asks a stranger's plugin in a process of its own: now, when the asker has to have the answer at once, or meanwhile.
 * A process that spins, hangs or ends itself costs its time limit and nothing more.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import type { Json } from '../../formats/json.ts';
import { distFile } from '../../package-root.ts';
import type { Answer, Question } from './question.ts';

const LONGEST_ANSWER = 10_000_000;
const LONGEST_COMPLAINT = 2000;

const program = () => [distFile('stranger.cjs')];

/** What it gives; throws what was wrong. When `signal` fires nobody waits any more, and the process is ended. */
export async function asked(question: Question, signal: AbortSignal): Promise<Json> {
  const child = spawn(process.execPath, program(), { stdio: ['pipe', 'ignore', 'pipe', 'pipe'] });
  const [stdin, , stderr, answer] = child.stdio as unknown as [Writable, null, Readable, Readable];
  const said = collected(answer, LONGEST_ANSWER);
  const complaint = collected(stderr, LONGEST_COMPLAINT);
  // A plugin that spins hears no polite word.
  const end = () => child.kill('SIGKILL');
  signal.addEventListener('abort', end, { once: true });
  stdin.on('error', () => {});
  stdin.end(JSON.stringify(question));
  try {
    const [[code, by]] = await Promise.all([once(child, 'exit'), once(answer, 'close')]);
    return read(said(), { code, by, complaint: complaint() });
  } finally {
    signal.removeEventListener('abort', end);
    // What the plugin has left running may hold on to it.
    stderr.destroy();
  }
}

/** The same, and nothing else happens in this process meanwhile. */
export function askedNow(question: Question, limit: number): Json {
  const { output, status, signal, error } = spawnSync(process.execPath, program(), {
    input: JSON.stringify(question),
    stdio: ['pipe', 'ignore', 'pipe', 'pipe'],
    timeout: limit,
    killSignal: 'SIGKILL',
    maxBuffer: LONGEST_ANSWER,
    encoding: 'utf8',
  });
  const [, , complaint = '', answer = ''] = (output ?? []).map(text => text ?? '');
  if (answer === '' && (error as NodeJS.ErrnoException | undefined)?.code === 'ETIMEDOUT')
    throw new Error(`it took longer than ${limit} ms`);
  return read(answer, { code: status, by: signal, complaint });
}

interface End {
  readonly code: number | null;
  readonly by: NodeJS.Signals | null;
  readonly complaint: string;
}

function read(text: string, { code, by, complaint }: End): Json {
  if (text === '') {
    const last = complaint.trim().split('\n').at(-1);
    throw new Error(
      `it ended its process (${by ?? `exit status ${code}`}) instead of answering${last ? `: ${last}` : ''}`,
    );
  }
  const answer = JSON.parse(text) as Answer;
  if ('failed' in answer) throw new Error(answer.failed);
  return answer.gave;
}

/** What came, up to a length; the rest is read and dropped, so that the writer is not held up. */
function collected(stream: Readable, limit: number): () => string {
  let text = '';
  stream.setEncoding('utf8').on('data', (more: string) => {
    if (text.length < limit) text += more;
  });
  stream.on('error', () => {});
  return () => text;
}
