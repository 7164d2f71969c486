/** Fills the placeholders of a move. This module is pure. */
import { mapStrings } from '../../formats/text/map-strings.ts';

/** Replaces `{{now}}` and similar placeholders in all strings of a value. Unknown ones are kept. */
export const fillPlaceholders = <T>(value: T, variables: Readonly<Record<string, string>>): T =>
  mapStrings(value, text => text.replace(/\{\{(\w+)\}\}/g, (all, name: string) => variables[name] ?? all));
