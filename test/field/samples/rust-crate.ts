/** A Rust crate with a separate test folder. */
import { spawnSync } from 'node:child_process';
import type { Sample } from '../sample.ts';

const wrap = (body: string, more = '') => `pub fn clamp(value: i32, low: i32, high: i32) -> i32 {
    ${body}
}
${more}`;
const CLAMP = 'value.max(low).min(high)';
const INSIDE =
  '\npub fn inside(value: i32, low: i32, high: i32) -> bool {\n    value >= low && value <= high\n}\n';
const test = (expected: number, before = '') => `use sample::clamp;

#[test]
${before}fn a_small_value_is_raised() {
    assert_eq!(clamp(-5, 0, 9), ${expected});
}

#[test]
fn a_large_value_is_lowered() {
    assert_eq!(clamp(12, 0, 9), 9);
}
`;
const OLD = 'tests/clamp.rs';

export const rustCrate: Sample = {
  name: 'a Rust crate',
  missing: spawnSync('cargo', ['--version']).status === 0 ? null : 'cargo is not installed',
  files: {
    'Cargo.toml': '[package]\nname = "sample"\nversion = "0.1.0"\nedition = "2021"\n',
    'Cargo.lock': 'version = 3\n\n[[package]]\nname = "sample"\nversion = "0.1.0"\n',
    '.gitignore': 'target/\n',
    'src/lib.rs': wrap(CLAMP),
    [OLD]: test(0),
  },
  honest: { 'src/lib.rs': wrap(CLAMP, INSIDE) },
  breaking: { 'src/lib.rs': wrap('let _ = low;\n    value.min(high)', INSIDE) },
  silenced: {
    edited: { [OLD]: test(-5) },
    skipped: { [OLD]: test(0, '#[ignore]\n') },
    deleted: { [OLD]: null },
  },
  uncommitted: { 'src/lib.rs': 'this is no Rust\n' },
  verifier: {
    command: 'cargo test',
    existing: OLD,
    imports: 'use (\\w+)::',
    place: 'tests/inside.rs',
    test: `use {{import}}::inside;

#[test]
fn the_bounds_are_inside() {
    assert!(inside(0, 0, 9) && inside(9, 0, 9) && !inside(10, 0, 9));
}
`,
  },
};
