import { expect, test } from 'vitest';
import { makeCheckout } from '../../src/workspace/checkout.ts';
import { folder, open, person, repositoryWith, runDirOf } from './temporary-projects.ts';

/** The remote URL in a checkout of a project with this remote URL. */
async function urlInCheckout(url: string): Promise<string> {
  const root = await repositoryWith({ 'a.txt': 'a\n' });
  person(root, 'remote', 'add', 'origin', url);
  const repo = await open(root);
  const state = await folder();
  const commit = person(root, 'rev-parse', 'HEAD').trim();
  const of = { repo, state, runDir: runDirOf(root), launch: 1, projectRoot: root, copy: [] };
  const top = await makeCheckout({ ...of, commit });
  return person(top, 'config', '--get', 'remote.origin.url').trim();
}

test('the remote URL in a checkout keeps the SSH user, but no password', async () => {
  expect(await urlInCheckout('ssh://git@example.org/a.git')).toBe('ssh://git@example.org/a.git');
  expect(await urlInCheckout('ssh://git:s3cret@example.org/a.git')).toBe('ssh://git@example.org/a.git');
  expect(await urlInCheckout('https://ann:s3cret@example.org/a.git')).toBe('https://example.org/a.git');
});
