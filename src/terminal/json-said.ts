/** How `--json` writes: one value, the same frame around every result. */
import { JSON_VERSION } from '../formats/output/version.ts';

export const jsonSuccess = (result: object): object => ({ ok: true, version: JSON_VERSION, ...result });

export const jsonText = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
