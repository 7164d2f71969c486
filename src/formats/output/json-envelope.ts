/** Wraps the result of a command for `--json`. All results have the same envelope. */

/** Version of all `--json` output. Incremented when a key is removed or its meaning changes. */
export const JSON_VERSION = 1;

export const successOutput = (result: object): object => ({ ok: true, version: JSON_VERSION, ...result });
