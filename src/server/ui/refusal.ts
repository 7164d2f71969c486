/** What the server refused, or that it could not be the server. */
import type { Problem } from '../protocol.ts';

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

export function problemOf(said: unknown): Problem | null {
  if (said === null || typeof said !== 'object' || !('error' in said)) return null;
  const { error } = said;
  return error !== null && typeof error === 'object' && 'message' in error ? (error as Problem) : null;
}
