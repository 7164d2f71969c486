/**
 * Determines how a test failed. Pure. The structured fields of a report decide: class, code, type, operator. If a
 * report has none, or only a general class, the start of the message decides. Anything unknown is an `error`. The
 * rest of a message is ignored, because it may quote an error that the test was checking for.
 */
import type { FailureKind } from '../formats/test-cases.ts';

export interface Failure {
  /** `cancelled`: the test did not finish because its parent test or its process ended. */
  readonly kind: FailureKind | 'cancelled';
  /** The first line of the message, at most 300 characters; empty when there is none. */
  readonly line: string;
}

/** What a report says about a thrown error. */
export interface Thrown {
  /** Name of the error's class, with or without its package. */
  readonly name?: string | undefined;
  readonly code?: string | undefined;
  readonly message?: string | undefined;
}

/**
 * `Failed` is what pytest raises for `pytest.fail` and for an exception that was expected and not raised; `AssertError`
 * and `ExpectationError` are from sinon.
 */
const ASSERTION =
  /(?:^|\.)(?:AssertionError|AssertionFailedError|JestAssertionError|AssertError|ExpectationError|Failed)$/;

/** vitest throws an `Error` for a value that differs from its snapshot. */
const SNAPSHOT = /^Snapshot `[\s\S]+` mismatched/;

/** supertest throws an `Error` for a response that is not as expected. */
const SUPERTEST =
  /^expected (?:(?:\d+|one of) "[^"]*", got \d+ "|"[^"]+" (?:(?:of|matching) [\s\S]+, got "|header field(?:\n|$))|[\s\S]+ response body, got |body [\s\S]+ to match \/)/;

export const failureKindOf = ({ name = '', code, message = '' }: Thrown): 'assert' | 'error' =>
  code === 'ERR_ASSERTION' ||
  ASSERTION.test(name) ||
  SNAPSHOT.test(message) ||
  (/^(?:Error)?$/.test(name) && SUPERTEST.test(message))
    ? 'assert'
    : 'error';

/** Reads the class, code and message at the start of a stack trace: `AssertionError [ERR_ASSERTION]: …`. */
export function thrownIn(stack: string): Thrown {
  const head = /^\s*([A-Za-z_$][\w$.]*)(?: \[(\w+)\])?(?::[ ]?|\n|$)/.exec(stack);
  return { name: head?.[1], code: head?.[2], message: head ? stack.slice(head[0].length) : undefined };
}

const MAX_LINE_CHARS = 300;

/** If an assertion failed only because the code threw an error, the test failed with that error. */
export function failureOf(kind: Failure['kind'], message: string): Failure {
  const thrown = kind === 'assert' ? unwantedErrorIn(message) : null;
  return {
    kind: thrown === null ? kind : 'error',
    line: (/\S[^\n]*/.exec(thrown ?? message)?.[0].trim() ?? '').slice(0, MAX_LINE_CHARS),
  };
}

/** The messages of `doesNotThrow` in `node:assert`, of Chai and vitest, and of `not.toThrow` in jest. */
const UNWANTED = [
  /^Got unwanted (?:exception|rejection)[^\n]*\n *Actual message: "([\s\S]*?)"?$/,
  /\bto not throw (?:an error|'[^'\n]*') but '([^\n]*)' was thrown/,
  /\.not\.toThrow(?:Error)?\([^\n]*\)\s+[\s\S]*?\b(?:Error|Thrown) message: +"([^\n]*)"/,
];

function unwantedErrorIn(message: string): string | null {
  const found = UNWANTED.map(pattern => pattern.exec(message)?.[1]);
  return found.find(each => each !== undefined) ?? null;
}

const PENDING = /^Promise resolution is still pending/;

/**
 * Determines why node cancelled a test, from the message and the duration. When nothing is left that could settle a
 * test's promise, node cancels that test and all later ones in the file, which have not started.
 */
export const cancelledTest = (message: string, duration: string | undefined): Failure =>
  failureOf(PENDING.test(message) && Number(duration) > 0 ? 'timeout' : 'cancelled', message);
