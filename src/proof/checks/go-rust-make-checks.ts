/** Proposes checks for Go packages, Rust crates and Makefiles. */

import type { Folder } from '../../workspace/dependencies/folder-reader.ts';
import { goPackagePath } from '../../workspace/dependencies/infer-go-import-path.ts';
import type { CheckProposal } from './check-proposal-type.ts';

export async function goProposals(own: Folder): Promise<CheckProposal[]> {
  const isModule = own.has('go.mod') || (await goPackagePath(own)) !== null;
  if (!isModule) return [];
  const because = own.has('go.mod') ? 'go.mod' : 'the Go package';
  return [
    { name: 'test', command: 'go test ./...', because },
    { name: 'lint', command: 'go vet ./...', because },
  ];
}

export async function rustProposals(own: Folder): Promise<CheckProposal[]> {
  const manifest = await own.text('Cargo.toml');
  if (manifest === null) return [];
  // In a workspace with a root package, cargo by default tests only that package.
  const all = /^\[workspace\]/m.test(manifest) && /^\[package\]/m.test(manifest) ? ' --workspace' : '';
  return [{ name: 'test', command: `cargo test${all}`, because: 'Cargo.toml' }];
}

export async function makeProposals(own: Folder): Promise<CheckProposal[]> {
  const makefile =
    (await own.text('Makefile')) ?? (await own.text('makefile')) ?? (await own.text('GNUmakefile'));
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
