/** Version of all `--json` output. Incremented when a key is removed or its meaning changes. */
export const JSON_VERSION = 1;
