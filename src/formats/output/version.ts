/** Version of everything that `--json` prints. A key that goes, or means something else, is a new version. */
export const JSON_VERSION = 1;
