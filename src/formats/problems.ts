/** What is wrong with a file, in words. Apart from the shapes themselves: a runner must not load the schema library. */
import type { ZodError } from 'zod';

/** One problem a line, each with the key it is about: `timeouts.builder: expected number, received string`. */
export const problemsOf = (error: ZodError): string =>
  error.issues
    .map(issue => {
      const key = issue.path.map(String).join('.');
      const said =
        issue.code === 'unrecognized_keys'
          ? `unknown ${issue.keys.length > 1 ? 'keys' : 'key'} ${issue.keys.map(k => (key ? `${key}.${k}` : k)).join(', ')}`
          : issue.message.replace(/^Invalid input: /, '');
      return key && issue.code !== 'unrecognized_keys' ? `${key}: ${said}` : said;
    })
    .join('\n');
