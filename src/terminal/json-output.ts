/** Writes JSON output: one value, in the same envelope for every result. */
import { JSON_VERSION } from '../formats/output/json-version.ts';

export const successOutput = (result: object): object => ({ ok: true, version: JSON_VERSION, ...result });

export const jsonText = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
