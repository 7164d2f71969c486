/**
 * Describes an endpoint as data: input, output and handler. Routing, validation and the OpenAPI document all use
 * this description.
 */
import type { z } from 'zod';
import type { Problem } from './protocol.ts';
import type { Artefact } from './read-artifact.ts';
import { HttpRefusal } from './refusal.ts';

type Shape = z.ZodType;
type Read<S> = S extends Shape ? z.output<S> : undefined;

interface About {
  readonly method: 'get' | 'post' | 'put';
  /** Express syntax: `/api/runs/:runId`; `*path` matches the rest. */
  readonly path: string;
  readonly about: string;
  /** Requires no token. */
  readonly open?: true;
  readonly status?: number;
}

interface Described<P, Q, B, A> extends About {
  readonly params?: P;
  readonly query?: Q;
  readonly body?: B;
  readonly answer: A;
  serve(asked: {
    params: Read<P>;
    query: Read<Q>;
    body: Read<B>;
  }): Promise<A extends Shape ? z.input<A> : Artefact>;
}

export interface Endpoint extends About {
  readonly params?: Shape;
  readonly query?: Shape;
  readonly body?: Shape;
  readonly answer: Shape | 'file';
  serve(asked: { params: unknown; query: unknown; body: unknown }): Promise<unknown>;
}

/** Erases the type parameters, so that endpoints fit in one list. The schemas have validated the input of `serve`. */
export const endpoint = <A extends Shape | 'file', P = undefined, Q = undefined, B = undefined>(
  described: Described<P, Q, B, A>,
): Endpoint => described as unknown as Endpoint;

/** Parses `given` with its schema. Throws 400 with an error for each invalid key. */
export function read(shape: Shape | undefined, given: unknown): unknown {
  if (!shape) return undefined;
  const parsed = shape.safeParse(given);
  if (parsed.success) return parsed.data;
  const fields = fieldsOf(parsed.error);
  throw new HttpRefusal(
    400,
    'E_REQUEST',
    fields.map(({ path, message }) => (path ? `${path}: ${message}` : message)).join('\n'),
    fields,
  );
}

export const fieldsOf = (error: z.ZodError): NonNullable<Problem['fields']> =>
  error.issues.flatMap(issue => {
    const path = issue.path.map(String);
    return issue.code === 'unrecognized_keys'
      ? issue.keys.map(key => ({ path: [...path, key].join('.'), message: 'unknown key' }))
      : [{ path: path.join('.'), message: issue.message.replace(/^Invalid input: /, '') }];
  });
