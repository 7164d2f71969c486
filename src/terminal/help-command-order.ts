/**
 * Orders the commands in the help: first those listed in `BY_USE`, roughly in the order of use, then all others
 * alphabetically.
 */
const BY_USE: readonly string[] = [
  'init',
  'doctor',
  'start',
  'status',
  'watch',
  'attach',
  'logs',
  'answer',
  'review',
  'approve',
  'exam',
  'rebase',
  'reject',
  'open',
  'pages',
  'inbox',
  'history',
  'extend',
  'retry',
  'stop',
  'recover',
  'bundle',
  'prove',
  'verify',
  'clean',
  'wait',
  'serve',
  'demo',
  'import-orchestral',
  'completion',
  'plugins',
  'help',
  'version',
];

const placeOf = (id: string): number => (BY_USE.includes(id) ? BY_USE.indexOf(id) : BY_USE.length);

/** `commands` are sorted by name. */
export const byUse = <C extends { readonly id: string }>(commands: readonly C[]): C[] =>
  commands.toSorted((a, b) => placeOf(a.id) - placeOf(b.id));
