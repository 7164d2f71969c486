/** Formats an error: text on standard error, JSON for programs, and an exit status. */
import { DureError, EXIT } from '../errors.ts';
import { asDiskError } from '../formats/file-system/temporary-disk-errors.ts';
import { writeErrorOfCall } from '../formats/file-system/write-errors.ts';
import { asUnreadable } from '../formats/read-untrusted-files.ts';
import { type ErrorText, words } from '../words/cli/load-language.ts';
import { nearest } from './nearest-name.ts';
import { paint } from './paint.ts';
import { SignalReceived } from './signals.ts';
import { cells, columns, pad, wrap } from './text-layout.ts';

export interface CommandFailure {
  readonly code: string;
  readonly message: string;
  readonly exit: number;
  readonly suggestions: readonly string[];
}

interface OclifError extends Error {
  code?: string;
  oclif?: { exit?: number };
  /** The parser's input and the command; set if the arguments are invalid. */
  parse?: {
    readonly input?: {
      readonly context?: { readonly id?: string };
      readonly flags?: Readonly<Record<string, unknown>>;
    };
  };
  /** Flags that the command does not define. */
  flags?: readonly string[];
  suggestions?: string[];
}

/** Recognizes errors caused by a full disk or by a file that cannot be read or written: these are never bugs. */
const named = (error: Error): Error =>
  asDiskError((error as NodeJS.ErrnoException).path ?? process.cwd(), error) ??
  writeErrorOfCall(error) ??
  asUnreadable(error) ??
  error;

/** `id` is the command whose help is suggested after a usage error. */
export function commandFailure(thrown: Error, id?: string): CommandFailure {
  const error = named(thrown);
  if (error instanceof DureError) {
    const { code, message, exit, suggestions } = error;
    return { code, message, exit, suggestions };
  }
  if (error instanceof SignalReceived)
    return { code: error.code, message: error.message, exit: error.exit, suggestions: [] };
  const { oclif, code, suggestions, parse, flags } = error as OclifError;
  if (!oclif) return { code: 'E_BUG', message: error.message, exit: EXIT.failed, suggestions: [] };
  // Not a usage error: a plugin's command exited through oclif, which Dure's own commands never do.
  if (!parse && !UNPARSED.test(error.message))
    return {
      code: code ?? 'E_COMMAND',
      message: error.message,
      exit: oclif.exit ?? EXIT.failed,
      suggestions: suggestions ?? [],
    };
  // oclif adds the detail below the flag, and a pointer to the help at the end.
  const message = error.message.replace(/\nSee more help with --help$/, '').replace(PARSING, '$1: ');
  return {
    code: code ?? 'E_USAGE',
    message,
    exit: EXIT.usage,
    suggestions: suggestions ?? [
      ...flagsMeant(flags ?? [], Object.keys(parse?.input?.flags ?? {})),
      `See \`${['dure', ...(id?.split(':') ?? commandOf(parse)), '--help'].join(' ')}\`.`,
    ],
  };
}

/** oclif's message for a flag whose own parser refuses its value. */
const PARSING = /^Parsing (--\S+) \n\t/;
/** oclif's messages for arguments that it refuses without reporting the parser's input. */
const UNPARSED = new RegExp(`${PARSING.source}|^Flag --\\S+ (?:expects|can only be) `);

const commandOf = (parse: OclifError['parse']): string[] => parse?.input?.context?.id?.split(':') ?? [];

const flagsMeant = (unknown: readonly string[], known: readonly string[]): string[] =>
  unknown
    .map(flag => nearest(flag.replace(/^-+/, ''), known))
    .flatMap(flag => (flag === null ? [] : [`Did you mean \`--${flag}\`?`]));

/** Text for standard error. A bug keeps its stack trace; a signal prints nothing. */
export function explain(failure: CommandFailure, thrown: Error): string {
  const error = named(thrown);
  if (error instanceof SignalReceived) return '';
  if (failure.code === 'E_BUG') return `${error.stack ?? error.message}\n`;
  const text = error instanceof DureError ? words().error(error) : {};
  return errorLines(paint('red', words().errorHead, process.stderr), { ...failure, ...text });
}

/** Formats an error as a warning that accompanies the result. */
export const failureText = (error: DureError): string =>
  errorLines(paint('yellow', words().warningHead, process.stderr), { ...error, ...words().error(error) });

function errorLines(head: string, { message, suggestions, code }: ErrorText & { code: string }): string {
  const width = columns(process.stderr);
  const indent = ' '.repeat(cells(head) + 1);
  const withHead = (name: string, text: string) =>
    `${pad(name, indent.length)}${wrap(text, width, indent).trimStart()}`;
  const tryHead = paint('dim', words().tryHead, process.stderr);
  return [
    withHead(head, message),
    ...suggestions.map(text => withHead(tryHead, text)),
    paint('dim', `(${code})`, process.stderr),
    '',
  ].join('\n');
}
