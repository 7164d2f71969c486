/** Asks the user for input in the terminal. */
import { createInterface } from 'node:readline';
import { columns, wrap } from './text-layout.ts';

export const isInteractive = (): boolean => process.stdin.isTTY === true && process.stdout.isTTY === true;

/** Returns what the user typed, or null at end of input or if `signal` is aborted. */
export function ask(prompt: string, signal?: AbortSignal): Promise<string | null> {
  if (signal?.aborted) return Promise.resolve(null);
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  return new Promise(resolve => {
    const finish = (answer: string | null) => {
      signal?.removeEventListener('abort', withdraw);
      resolve(answer);
      lines.close();
    };
    const withdraw = () => {
      process.stdout.write('\n');
      finish(null);
    };
    signal?.addEventListener('abort', withdraw, { once: true });
    // readline intercepts Ctrl-C, so SIGINT is raised again for the handlers of this process.
    lines.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
    lines.on('close', () => finish(null));
    lines.question(`${wrap(prompt.trimEnd(), columns())} `, answer => finish(answer.trim()));
  });
}

export async function confirm(prompt: string, signal?: AbortSignal): Promise<boolean> {
  return /^(y|yes|j|ja|예|네)$/i.test((await ask(`${prompt} [y/N] `, signal)) ?? '');
}
