/** How an error is told: to people on standard error, to programs as JSON, to shells as an exit status. */
import { DureError, EXIT } from '../errors.ts';
import { words as spoken, type Told } from '../words/cli/words.ts';
import { nearest } from './nearest.ts';
import { paint } from './paint.ts';
import { Signalled } from './signals.ts';
import { cells, columns, pad, wrap } from './text.ts';

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
  /** What the parser had read, and of which command; there when the arguments were wrong. */
  parse?: {
    readonly input?: {
      readonly context?: { readonly id?: string };
      readonly flags?: Readonly<Record<string, unknown>>;
    };
  };
  /** Those that the command does not have. */
  flags?: readonly string[];
  suggestions?: string[];
}

export function failureOf(error: Error): Failure {
  if (error instanceof DureError) {
    const { code, message, exit, suggestions } = error;
    return { code, message, exit, suggestions };
  }
  if (error instanceof Signalled)
    return { code: error.code, message: error.message, exit: error.exit, suggestions: [] };
  const { oclif, code, suggestions, parse, flags } = error as OclifError;
  if (!oclif) return { code: 'E_BUG', message: error.message, exit: EXIT.failed, suggestions: [] };
  // oclif hangs what is wrong with a value below its flag, and a pointer to the help below all.
  const message = error.message
    .replace(/\nSee more help with --help$/, '')
    .replace(/^Parsing (--\S+) \n\t/, '$1: ');
  return {
    code: code ?? 'E_USAGE',
    message,
    exit: parse === undefined ? (oclif.exit ?? EXIT.failed) : EXIT.usage,
    suggestions: suggestions ?? [
      ...flagsMeant(flags ?? [], Object.keys(parse?.input?.flags ?? {})),
      `See \`${['dure', ...commandOf(parse), '--help'].join(' ')}\`.`,
    ],
  };
}

const commandOf = (parse: OclifError['parse']): string[] => parse?.input?.context?.id?.split(':') ?? [];

const flagsMeant = (unknown: readonly string[], known: readonly string[]): string[] =>
  unknown
    .map(flag => nearest(flag.replace(/^-+/, ''), known))
    .flatMap(flag => (flag === null ? [] : [`Did you mean \`--${flag}\`?`]));

/** For standard error. A bug keeps its stack; a signal needs no words. */
export function explain(failure: Failure, error: Error): string {
  if (error instanceof Signalled) return '';
  if (failure.code === 'E_BUG') return `${error.stack ?? error.message}\n`;
  const { message, suggestions } = failure;
  const { usage } = spoken();
  const words =
    error instanceof DureError
      ? spoken().error(error)
      : { message: usage(message), suggestions: suggestions.map(usage) };
  return told(paint('red', spoken().errorHead, process.stderr), { ...failure, ...words });
}

/** What went wrong beside what was asked for. */
export const complaint = (error: DureError): string =>
  told(paint('yellow', spoken().warningHead, process.stderr), { ...error, ...spoken().error(error) });

function told(head: string, { message, suggestions, code }: Told & { code: string }): string {
  const width = columns(process.stderr);
  const indent = ' '.repeat(cells(head) + 1);
  const beside = (name: string, text: string) =>
    `${pad(name, indent.length)}${wrap(text, width, indent).trimStart()}`;
  const tryHead = paint('dim', spoken().tryHead, process.stderr);
  return [
    beside(head, message),
    ...suggestions.map(text => beside(tryHead, text)),
    paint('dim', `(${code})`, process.stderr),
    '',
  ].join('\n');
}
