/** Version of all `--json` output. Increased when a key is removed or changes its meaning. */
export const JSON_VERSION = 1;
