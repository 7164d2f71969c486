/**
 * Shapes of events, embedded by the build like those in precompiled-file-schemas.ts. Separate, because only readers of a
 * log need them.
 */

import type { Schema } from '../schema/matches-schema.ts';
import { minimalJsonSchema } from '../schema/shape-to-json-schema.ts';
import { runEvent } from './events.ts';

/** Keyed by event type. */
export const EVENT_SCHEMAS: Readonly<Record<string, Schema>> = Object.fromEntries(
  runEvent.options.map(option => [option.shape.type.value, minimalJsonSchema(option)]),
);
