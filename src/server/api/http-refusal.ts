/** Defines the error for refused HTTP requests, and lists the invalid keys of a request. */
import type { z } from 'zod';
import { enIssue } from '../../words/field-issues.ts';
import type { HttpRefusalCode } from '../../words/ko-http-refusals.ts';
import type { Problem } from '../http-protocol.ts';

/** An error for HTTP clients, with its HTTP status. Errors for people are `DureError`. */
export class HttpRefusal extends Error {
  override name = 'Refusal';
  readonly status: number;
  readonly problem: Problem;
  readonly invalid: z.ZodError | undefined;

  constructor(status: number, code: HttpRefusalCode, message: string, invalid?: z.ZodError) {
    super(message);
    this.status = status;
    this.invalid = invalid;
    this.problem = { code, message, suggestions: [], ...(invalid && { fields: fieldsOf(invalid) }) };
  }
}

/**
 * One entry for each invalid or unknown key. If a value may have one of several shapes, the entries refer to the shape
 * with the fewest errors.
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
