/** Determines the hosts from which the package managers in a set-up command download. */

const NPM = ['registry.npmjs.org', 'registry.yarnpkg.com'];
const PYPI = ['pypi.org', 'files.pythonhosted.org'];
const REGISTRIES: readonly (readonly [RegExp, readonly string[]])[] = [
  [/\b(npm|pnpm|yarn|bun)\b/, NPM],
  [/\b(pip3?|uv|poetry)\b/, PYPI],
  [/\bcargo\b/, ['index.crates.io', 'static.crates.io']],
  [/\bgo\b/, ['proxy.golang.org', 'sum.golang.org']],
];

/** `command` is `workspace.setup`. */
export const registryHosts = (command: string | null): string[] =>
  REGISTRIES.flatMap(([program, hosts]) => (program.test(command ?? '') ? hosts : []));
