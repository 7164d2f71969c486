/** Every answer that is a No: its status, and its words without stack and without paths of this machine. */
import { DureError, type ErrorCode, EXIT } from '../errors.ts';
import type { Failure, Problem } from './protocol.ts';

/** What only programs that speak HTTP wrongly ever see. What people meet is a `DureError`. */
export class Refusal extends Error {
  override name = 'Refusal';
  readonly status: number;
  readonly problem: Problem;

  constructor(status: number, code: string, message: string, fields?: Problem['fields']) {
    super(message);
    this.status = status;
    this.problem = { code, message, suggestions: [], ...(fields && { fields }) };
  }
}

const STATUS: Partial<Record<ErrorCode, number>> = {
  E_RUN_NOT_FOUND: 404,
  E_NO_RUNS: 404,
  E_CRP_UNKNOWN: 404,
  E_NOT_TAKEN: 202,
};
const BY_EXIT: Record<number, number> = { [EXIT.usage]: 400, [EXIT.refused]: 409, [EXIT.waiting]: 409 };

export interface Refused {
  readonly status: number;
  readonly body: Failure;
  /** False: nobody meant this to happen, and the server's own log should say more. */
  readonly meant: boolean;
}

export function refusedBy(error: unknown, root: string): Refused {
  if (error instanceof Refusal)
    return { status: error.status, body: { ok: false, error: error.problem }, meant: true };
  if (error instanceof DureError) {
    const { code, message, suggestions } = error;
    const status = STATUS[code] ?? BY_EXIT[error.exit] ?? 500;
    const said = { code, message: message.replaceAll(`${root}/`, ''), suggestions };
    return { status, body: { ok: false, error: said }, meant: true };
  }
  const said = byStatus(error);
  return said
    ? { status: said.status, body: { ok: false, error: said.problem }, meant: true }
    : { status: 500, body: { ok: false, error: UNMEANT }, meant: false };
}

const UNMEANT: Problem = {
  code: 'E_INTERNAL',
  message: 'The server made a mistake.',
  suggestions: ['Its own log says more: .dure/server/server.log.'],
};

/** Errors of express and its body reader carry a status below 500 when the request was at fault. */
function byStatus(error: unknown): Refusal | null {
  const status = error instanceof Error && 'status' in error ? error.status : null;
  if (status === 413) return new Refusal(413, 'E_TOO_LARGE', 'The body is too large.');
  return typeof status === 'number' && status >= 400 && status < 500
    ? new Refusal(status, 'E_REQUEST', 'The request cannot be read.')
    : null;
}
