/**
 * Describes an endpoint as data: input, output and handler. Routing, validation and the OpenAPI document all use
 * this description.
 */
import type { z } from 'zod';
import type { Language } from '../../words/cli/load-language.ts';
import type { Artefact } from '../runs/read-artefact.ts';
import { fieldsOf, HttpRefusal, lineOf } from './http-refusal.ts';

export type Shape = z.ZodType;
export type Validated<S> = S extends Shape ? z.output<S> : undefined;
/** What `serve` returns: JSON with this shape, or a file to download. */
export type Answer<A> = Promise<A extends Shape ? z.input<A> : Artefact>;

interface About {
  readonly method: 'get' | 'post' | 'put';
  /** Express syntax: `/api/runs/:runId`; `*path` matches the rest of the path. */
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
    params: Validated<P>;
    query: Validated<Q>;
    body: Validated<B>;
    language: Language;
  }): Answer<A>;
}

export interface Endpoint extends About {
  readonly params?: Shape;
  readonly query?: Shape;
  readonly body?: Shape;
  readonly answer: Shape | 'file';
  serve(asked: { params: unknown; query: unknown; body: unknown; language: Language }): Promise<unknown>;
}

/** Erases the type parameters, so that endpoints fit in one list. Safe, because `serve` gets only validated input. */
export const endpoint = <A extends Shape | 'file', P = undefined, Q = undefined, B = undefined>(
  described: Described<P, Q, B, A>,
): Endpoint => described as unknown as Endpoint;

/**
 * Parses `given` with the schema `shape`, and returns undefined if there is no schema. Throws an `HttpRefusal` with
 * status 400 and one entry for each invalid key.
 */
export function read(shape: Shape | undefined, given: unknown): unknown {
  if (!shape) return undefined;
  const parsed = shape.safeParse(given);
  if (parsed.success) return parsed.data;
  throw new HttpRefusal(400, 'E_REQUEST', fieldsOf(parsed.error).map(lineOf).join('\n'), parsed.error);
}
