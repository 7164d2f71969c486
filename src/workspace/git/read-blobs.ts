/** Reads the contents of many files from git. */
import { dureError } from '../../errors.ts';
import { withIsolatedGit } from './isolated-git.ts';
import { entryOf, type Repository, zSplit } from './run-git.ts';

/** Returns contents by object id, without files of more than `maxBytes`. Throws `E_GIT` if an object is missing. */
export async function readBlobs(
  repo: Repository,
  ids: readonly string[],
  maxBytes = Number.POSITIVE_INFINITY,
): Promise<Map<string, Buffer>> {
  if (ids.length === 0) return new Map();
  return withIsolatedGit(repo, null, async isolated => {
    const ask = (how: string, wanted: readonly string[]) =>
      isolated.bytes(['cat-file', how], { input: wanted.map(id => `${id}\n`).join('') });
    const sizes = (await ask('--batch-check', [...new Set(ids)])).toString().trimEnd().split('\n');
    const found = sizes.map(line => line.split(' '));
    // Git reports a missing object like this and exits with 0, so it would be left out like a file that is too large.
    const [missing] = found.find(([, type]) => type === 'missing') ?? [];
    if (missing !== undefined)
      throw dureError('E_GIT', {
        command: 'cat-file',
        stderr: `object ${missing} is missing. Check the repository with \`git fsck\` or, in a partial clone, fetch the object.`,
      });
    const small = found
      .filter(([, type, size]) => type === 'blob' && Number(size) <= maxBytes)
      .map(([id = '', , size]) => ({ id, size: Number(size) }));
    const out = await ask(
      '--batch',
      small.map(({ id }) => id),
    );
    let at = 0;
    return new Map(
      small.map(({ id, size }) => {
        const begin = out.indexOf('\n', at) + 1;
        at = begin + size + 1;
        return [id, out.subarray(begin, begin + size)];
      }),
    );
  });
}

/** Returns the content of a file in a commit or tree; null if it does not exist or has more than `limit` bytes. */
export async function readBlob(
  repo: Repository,
  commit: string,
  path: string,
  limit = Number.POSITIVE_INFINITY,
): Promise<Buffer | null> {
  return withIsolatedGit(repo, null, async isolated => {
    const entry = zSplit(
      await isolated.git(['ls-tree', '-lz', commit, '--', path], { env: { GIT_LITERAL_PATHSPECS: '1' } }),
    )[0];
    const [, type, id, size] = entry ? entryOf(entry).fields : [];
    return type === 'blob' && id && Number(size) <= limit ? isolated.bytes(['cat-file', 'blob', id]) : null;
  });
}
