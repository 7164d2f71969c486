/** Converts errors to HTTP responses: status and message, without stack traces and without local paths. */
import type { z } from 'zod';
import { DureError, type ErrorCode, EXIT } from '../../errors.ts';
import { enIssue } from '../../words/field-issues.ts';
import type { FailureView, Problem } from '../protocol.ts';

/** An error for HTTP clients that send incorrect requests. Errors for people are `DureError`. */
export class HttpRefusal extends Error {
  override name = 'Refusal';
  readonly status: number;
  readonly problem: Problem;
  readonly invalid: z.ZodError | undefined;

  constructor(status: number, code: string, message: string, invalid?: z.ZodError) {
    super(message);
    this.status = status;
    this.invalid = invalid;
    this.problem = { code, message, suggestions: [], ...(invalid && { fields: fieldsOf(invalid) }) };
  }
}

/**
 * One entry for each invalid or unknown key. If a value may have several shapes, its entries refer to the best match.
 */
export const fieldsOf = (error: z.ZodError, messageOf = enIssue): NonNullable<Problem['fields']> =>
  error.issues.flatMap(issuesOfBestShape).flatMap(issue => {
    const keys = issue.code === 'unrecognized_keys' ? issue.keys.map(key => [key]) : [[]];
    return keys.map(key => ({
      path: [...issue.path, ...key].map(String).join('.'),
      message: messageOf(issue),
    }));
  });

type Issue = z.core.$ZodIssue;

function issuesOfBestShape(issue: Issue): Issue[] {
  if (issue.code !== 'invalid_union') return [issue];
  const [best] = issue.errors.toSorted((a, b) => a.length - b.length);
  return best?.map(inner => ({ ...inner, path: [...issue.path, ...inner.path] })) ?? [issue];
}

export const lineOf = ({ path, message }: { readonly path: string; readonly message: string }): string =>
  path ? `${path}: ${message}` : message;

const STATUS: Partial<Record<ErrorCode, number>> = {
  E_RUN_NOT_FOUND: 404,
  E_NO_RUNS: 404,
  E_CRP_UNKNOWN: 404,
  E_PACK_UNKNOWN: 404,
  E_NO_ANSWER: 400,
  E_NOT_TAKEN: 202,
};
const BY_EXIT: Record<number, number> = { [EXIT.usage]: 400, [EXIT.refused]: 409, [EXIT.waiting]: 409 };

export interface Refused {
  readonly status: number;
  readonly body: FailureView;
  /** False for an unexpected error, which belongs in the server log. */
  readonly expected: boolean;
}

export function refusedBy(error: unknown, root: string): Refused {
  if (error instanceof DureError) {
    const { code, message, suggestions } = error;
    const status = STATUS[code] ?? BY_EXIT[error.exit] ?? 500;
    const problem = { code, message: message.replaceAll(`${root}/`, ''), suggestions };
    return { status, body: { ok: false, error: problem }, expected: true };
  }
  const { status = 500, problem = UNEXPECTED } =
    (error instanceof HttpRefusal ? error : byStatus(error)) ?? {};
  return { status, body: { ok: false, error: problem }, expected: problem !== UNEXPECTED };
}

const UNEXPECTED: Problem = {
  code: 'E_INTERNAL',
  message: 'Internal server error.',
  suggestions: ['See the server log for details: .dure/server/server.log.'],
};

/** Errors from Express and its body parser have a 4xx status if the request is at fault. */
function byStatus(error: unknown): HttpRefusal | null {
  const status = error instanceof Error && 'status' in error ? error.status : null;
  if (status === 413) return new HttpRefusal(413, 'E_TOO_LARGE', 'The body is too large.');
  return typeof status === 'number' && status >= 400 && status < 500
    ? new HttpRefusal(status, 'E_REQUEST', 'The request could not be parsed.')
    : null;
}
