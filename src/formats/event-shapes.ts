/** Shapes of events, as shapes.ts has those of files, and replaced by their values as well. Only who reads a log needs them. */
import { runEvent } from './events.ts';
import type { Schema } from './fits.ts';
import { leanSchema } from './lean-schema.ts';

/** By the type of the event. */
export const EVENTS: Readonly<Record<string, Schema>> = Object.fromEntries(
  runEvent.options.map(option => [option.shape.type.value, leanSchema(option)]),
);
