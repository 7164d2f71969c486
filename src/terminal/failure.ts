/** How an error is told: to people on standard error, to programs as JSON, to shells as an exit status. */
import { DureError, EXIT } from '../errors.ts';
import { words as spoken, type Told } from '../words/cli/words.ts';
import { paint } from './paint.ts';
import { Signalled } from './signals.ts';
import { cells, columns, wrap } from './text.ts';

export { JSON_VERSION } from '../formats/output/version.ts';

export interface Failure {
  readonly code: string;
  readonly message: string;
  readonly exit: number;
  readonly suggestions: readonly string[];
}

interface OclifError extends Error {
  code?: string;
  oclif?: { exit?: number };
  /** What the parser had read; there when the arguments were wrong. */
  parse?: unknown;
  suggestions?: string[];
}

export function failureOf(error: Error): Failure {
  if (error instanceof DureError) {
    const { code, message, exit, suggestions } = error;
    return { code, message, exit, suggestions };
  }
  if (error instanceof Signalled)
    return { code: error.code, message: error.message, exit: error.exit, suggestions: [] };
  const { oclif, code, suggestions, parse } = error as OclifError;
  if (!oclif) return { code: 'E_BUG', message: error.message, exit: EXIT.failed, suggestions: [] };
  const message = error.message.replace(/\nSee more help with --help$/, '');
  return {
    code: code ?? 'E_USAGE',
    message,
    exit: parse === undefined ? (oclif.exit ?? EXIT.failed) : EXIT.usage,
    suggestions: suggestions ?? ['See `--help`.'],
  };
}

/** For standard error. A bug keeps its stack; a signal needs no words. */
export function explain(failure: Failure, error: Error): string {
  if (error instanceof Signalled) return '';
  if (failure.code === 'E_BUG') return `${error.stack ?? error.message}\n`;
  const words = error instanceof DureError ? spoken().error(error) : failure;
  return told(paint('red', spoken().errorHead, process.stderr), { ...failure, ...words });
}

/** What went wrong beside what was asked for. */
export const complaint = (error: DureError): string =>
  told(paint('yellow', spoken().warningHead, process.stderr), { ...error, ...spoken().error(error) });

function told(head: string, { message, suggestions, code }: Told & { code: string }): string {
  const width = columns(process.stderr);
  const tryHead = spoken().tryHead;
  const indent = ' '.repeat(cells(tryHead) + 3);
  return [
    `${head} ${wrap(message, width)}`,
    ...suggestions.map(
      text => `${paint('dim', tryHead, process.stderr)}   ${wrap(text, width, indent).trimStart()}`,
    ),
    paint('dim', `(${code})`, process.stderr),
    '',
  ].join('\n');
}
