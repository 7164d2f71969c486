/** Writes JSON output: one value, in the same envelope for every result. */

/** Version of all `--json` output. Incremented when a key is removed or its meaning changes. */
export const JSON_VERSION = 1;

export const successOutput = (result: object): object => ({ ok: true, version: JSON_VERSION, ...result });
