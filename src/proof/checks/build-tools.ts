/** Checks of Go and Rust modules, and of a Makefile. */
import type { CheckProposal, Folder } from './recognize.ts';

export const goProposals = async (own: Folder): Promise<CheckProposal[]> =>
  (await own.has('go.mod'))
    ? [
        { name: 'test', command: 'go test ./...', because: 'go.mod' },
        { name: 'lint', command: 'go vet ./...', because: 'go.mod' },
      ]
    : [];

export async function rustProposals(own: Folder): Promise<CheckProposal[]> {
  const manifest = await own.read('Cargo.toml');
  if (manifest === null) return [];
  // In a workspace with a package of its own at the root, cargo tests that package alone unless it is told.
  const all = /^\[workspace\]/m.test(manifest) && /^\[package\]/m.test(manifest) ? ' --workspace' : '';
  return [{ name: 'test', command: `cargo test${all}`, because: 'Cargo.toml' }];
}

export async function makeProposals(own: Folder): Promise<CheckProposal[]> {
  const makefile =
    (await own.read('Makefile')) ?? (await own.read('makefile')) ?? (await own.read('GNUmakefile'));
  const targets = new Set(
    [...(makefile ?? '').matchAll(/^([\w. -]+?)\s*::?(?!=)/gm)].flatMap(([, names]) => names!.split(/\s+/)),
  );
  const test = ['test', 'tests', 'check'].find(target => targets.has(target));
  const because = 'Makefile';
  return [
    ...(test ? [{ name: 'test', command: `make ${test}`, because }] : []),
    ...(targets.has('lint') ? [{ name: 'lint', command: 'make lint', because }] : []),
  ];
}
