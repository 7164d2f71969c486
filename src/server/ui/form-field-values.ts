/** Parses and formats the values of form fields. This module is pure. */
import { parseEditableDuration } from './editable-duration.ts';
import type { FormField } from './fields-from-schema.ts';

/**
 * Converts typed text to the value to save. Text that is not a number is kept as text, so that the server
 * reports the error.
 */
export function parseFieldText(field: FormField, text: string): unknown {
  if (field.kind === 'list')
    return text
      .split('\n')
      .map(line => line.trim())
      .filter(Boolean);
  if (text.trim() === '') return field.nullable ? null : undefined;
  if (field.kind === 'json') return parsed(text);
  if (field.kind === 'time')
    return parseEditableDuration(text) ?? (Number.isNaN(Number(text)) ? text : Number(text));
  if (field.kind === 'number') return Number.isNaN(Number(text)) ? text : Number(text);
  return text;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

export const formatFieldValue = (field: FormField, value: unknown): string =>
  field.kind === 'json' && value && typeof value === 'object'
    ? JSON.stringify(value, null, 2)
    : field.kind === 'list' && Array.isArray(value)
      ? value.join('\n')
      : String(value ?? '');
