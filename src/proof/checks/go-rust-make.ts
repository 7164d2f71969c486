/** Proposes checks for Go packages, Rust crates and Makefiles. */
import { goPackagePath } from '../../workspace/dependencies/go-package.ts';
import { readFolder } from '../../workspace/dependencies/read-folder.ts';
import type { CheckProposal, ProjectFolder } from './recognize.ts';

export async function goProposals(own: ProjectFolder): Promise<CheckProposal[]> {
  const isModule = (await own.has('go.mod')) || (await goPackagePath(await readFolder(own.path))) !== null;
  if (!isModule) return [];
  const because = (await own.has('go.mod')) ? 'go.mod' : 'the Go package';
  return [
    { name: 'test', command: 'go test ./...', because },
    { name: 'lint', command: 'go vet ./...', because },
  ];
}

export async function rustProposals(own: ProjectFolder): Promise<CheckProposal[]> {
  const manifest = await own.read('Cargo.toml');
  if (manifest === null) return [];
  // In a workspace with a root package, cargo by default tests only that package.
  const all = /^\[workspace\]/m.test(manifest) && /^\[package\]/m.test(manifest) ? ' --workspace' : '';
  return [{ name: 'test', command: `cargo test${all}`, because: 'Cargo.toml' }];
}

export async function makeProposals(own: ProjectFolder): Promise<CheckProposal[]> {
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
