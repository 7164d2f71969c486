/** Removes terminal sequences and control characters from every string in a value that agents wrote. */
import { mapStrings } from '../formats/text/map-strings.ts';
import { plainText } from '../formats/text/plain-text.ts';

export const sanitizeAgentStrings = <T>(value: T): T => mapStrings(value, text => plainText(text));
