/** Builds the OpenAPI document from the endpoint descriptions that also route and validate requests. */

import { z } from 'zod';
import { health, interruptedRuns, live, ready } from '../health-protocol.ts';
import { failure } from '../http-protocol.ts';
import type { Endpoint } from './endpoint.ts';

type Json = Record<string, unknown>;

const schemaOf = (shape: z.ZodType, io: 'input' | 'output'): Json => {
  const { $schema: _, ...schema } = z.toJSONSchema(shape, {
    target: 'openapi-3.0',
    io,
    unrepresentable: 'any',
  });
  return schema;
};

const json = (shape: z.ZodType, io: 'input' | 'output'): Json => ({
  'application/json': { schema: schemaOf(shape, io) },
});

export function openapi(endpoints: readonly Endpoint[], version: string): Json {
  const paths: Record<string, Json> = {};
  for (const one of endpoints) {
    const path = one.path.replaceAll(/[:*]([A-Za-z]+)/g, '{$1}');
    paths[path] = { ...paths[path], [one.method]: operation(one) };
  }
  return {
    openapi: '3.0.3',
    info: {
      title: 'Dure',
      version,
      description: 'Everything that the pages of the Agent Command Environment can do.',
    },
    paths: { ...paths, ...HEALTH },
    components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
    security: [{ token: [] }],
  };
}

function operation(one: Endpoint): Json {
  const parameters = [...parametersOf(one.params, 'path'), ...parametersOf(one.query, 'query')];
  const content =
    one.answer === 'file'
      ? { 'text/plain': { schema: { type: 'string', format: 'binary' } } }
      : json(one.answer, 'output');
  return {
    summary: one.about,
    ...(one.open && { security: [] }),
    ...(parameters.length > 0 && { parameters }),
    ...(one.body && { requestBody: { required: true, content: json(one.body, 'input') } }),
    responses: {
      [one.status ?? 200]: { description: 'Success', content },
      default: { description: 'Refused', content: json(failure, 'output') },
    },
  };
}

function parametersOf(shape: z.ZodType | undefined, place: 'path' | 'query'): Json[] {
  if (!shape) return [];
  const { properties = {} } = schemaOf(shape, 'input') as { properties?: Record<string, Json> };
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: place,
    required: place === 'path',
    schema,
  }));
}

const probe = (summary: string, shape: z.ZodType, canFail: boolean): Json => ({
  get: {
    summary,
    security: [],
    responses: {
      200: { description: 'Healthy', content: json(shape, 'output') },
      ...(canFail && { 503: { description: 'Unhealthy', content: json(shape, 'output') } }),
    },
  },
});
const HEALTH: Record<string, Json> = {
  '/health': probe('Health of the whole system.', health, true),
  '/health/live': probe('Whether the server answers.', live, false),
  '/health/ready': probe('Whether everything the server depends on is available.', ready, true),
  '/health/interrupted': probe('Interrupted runs.', interruptedRuns, false),
};
