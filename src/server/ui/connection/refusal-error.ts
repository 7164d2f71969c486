/** The error for a request that the server refused, or for a session that the server does not know. */
import type { Problem } from '../../http-protocol.ts';

export class Refusal extends Error {
  override name = 'Refusal';
  readonly status: number;
  readonly problem: Problem;
  constructor(status: number, problem: Problem) {
    super(problem.message);
    this.status = status;
    this.problem = problem;
  }
}

export function problemOf(json: unknown): Problem | null {
  if (json === null || typeof json !== 'object' || !('error' in json)) return null;
  const { error } = json;
  return error !== null && typeof error === 'object' && 'message' in error ? (error as Problem) : null;
}
