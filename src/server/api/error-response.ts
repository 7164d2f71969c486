/** Converts an error to an HTTP status and a response body. */
import { DureError, type ErrorCode, EXIT } from '../../errors.ts';
import type { FailureView, Problem } from '../http-protocol.ts';
import { HttpRefusal } from './http-refusal.ts';

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
