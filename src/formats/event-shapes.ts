/** Shapes of events, as shapes.ts has those of files, and replaced by their values as well. Only who reads a log needs them. */

import { compactSchema } from './compact-schema.ts';
import { runEvent } from './events.ts';
import type { Schema } from './match-schema.ts';

/** By the type of the event. */
export const EVENT_SCHEMAS: Readonly<Record<string, Schema>> = Object.fromEntries(
  runEvent.options.map(option => [option.shape.type.value, compactSchema(option)]),
);
