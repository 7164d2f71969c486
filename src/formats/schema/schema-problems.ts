/**
 * Describes validation errors in a file. Separate from the shapes, because a runner must not load the schema library.
 */
import type { z } from 'zod';

type Issue = z.core.$ZodIssue;

/** Lists one problem per line, each with its key: `timeouts.builder: expected number, received string`. */
export const problemsOf = (error: z.ZodError): string =>
  error.issues
    .map(issue => {
      const key = issue.path.map(String).join('.');
      if (issue.code === 'unrecognized_keys') return unknownKeys(issue.keys, key);
      return key ? `${key}: ${problemText(issue)}` : problemText(issue);
    })
    .join('\n');

const unknownKeys = (keys: readonly string[], at: string): string =>
  `unknown ${keys.length > 1 ? 'keys' : 'key'} ${keys.map(key => (at ? `${at}.${key}` : key)).join(', ')}`;

const plain = ({ message }: Issue): string =>
  message.replace(/^Invalid input: /, '').replace(/^(expected .+), received undefined$/, 'missing, $1');

/** For a value that matches none of several shapes, lists what each shape expects. */
function problemText(issue: Issue): string {
  if (issue.code !== 'invalid_union') return plain(issue);
  const kinds = issue.errors
    .flat()
    .filter(one => one.code === 'invalid_type' && one.path.length === 0)
    .map(one => /^expected (.+), (received .+)$/.exec(plain(one)) ?? []);
  const [received] = kinds.map(kind => kind[2]);
  const expected = new Set(kinds.map(kind => kind[1]));
  return received ? `expected ${[...expected].join(' or ')}, ${received}` : plain(issue);
}
