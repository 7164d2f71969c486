/** The five config files compared with the JSON in the specification. */
import { describe, expect, test } from 'vitest';
import { CONFIG_NAMES, type ConfigName, configFiles } from '../../src/formats/config/config.ts';
import { parseFormat } from '../../src/formats/read-and-write-files.ts';
import type { FileFormat } from '../../src/formats/schema/define-file.ts';

const SPECIFIED: Record<ConfigName, string> = {
  global: `{
  "max_iterations": 3,
  "tmux_session_prefix": "dure",
  "web_port": 3873,
  "log_level": "info",
  "timeouts": {
    "refiner": 300000,
    "builder": 600000,
    "verifier": 300000,
    "gatekeeper": 300000
  },
  "timeout_action": "warn",
  "notifications": { "terminal_bell": true, "system_notify": false },
  "auto_retry": { "enabled": true, "max_attempts": 2, "recoverable_errors": ["crash", "timeout", "validation"] }
}`,
  refiner: `{
  "model": "haiku",
  "auto_fill": {
    "allowed": ["numeric_defaults", "naming", "file_paths"],
    "forbidden": ["architecture", "external_deps", "security"]
  },
  "delegation_keywords": ["appropriately", "as needed", "reasonably"],
  "max_refinement_iterations": 2
}`,
  builder: `{
  "model": "sonnet",
  "style": { "prefer_libraries": [], "avoid_libraries": [], "code_style": "default" },
  "constraints": { "max_file_size_lines": 500, "require_types": false }
}`,
  verifier: `{
  "model": "haiku",
  "test_coverage": { "min_percentage": 80, "require_edge_cases": true, "require_error_cases": true },
  "adversarial": { "enabled": true, "max_attack_vectors": 5 }
}`,
  gatekeeper: `{
  "model": "sonnet",
  "pass_criteria": { "tests_passing": true, "no_critical_issues": true, "min_test_coverage": 80 },
  "max_iterations": 3,
  "auto_crp_triggers": ["security_concern", "breaking_change", "external_dependency_addition"]
}`,
};

type Tree = { [key: string]: unknown };
const isTree = (value: unknown): value is Tree =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The part of a value whose keys also occur in another value. */
const within = (value: unknown, like: unknown): unknown =>
  isTree(value) && isTree(like)
    ? Object.fromEntries(Object.keys(like).map(key => [key, within(value[key], like[key])]))
    : value;

const leaves = (value: unknown, path: string[] = []): string[][] =>
  isTree(value) ? Object.entries(value).flatMap(([key, of]) => leaves(of, [...path, key])) : [path];

const changed = (path: string[], leaf: unknown): Tree =>
  path.reduceRight<unknown>((value, key) => ({ [key]: value }), leaf) as Tree;

describe.each(CONFIG_NAMES)('%s.json', name => {
  const specified: unknown = JSON.parse(SPECIFIED[name]);
  const format: FileFormat = configFiles[name];

  test('has the specified keys with the specified defaults, in the specified order', () => {
    const defaults = format.shape.parse({});
    expect(JSON.stringify(within(defaults, specified))).toBe(JSON.stringify(specified));
  });

  test('accepts the specified file unchanged', () => {
    expect(parseFormat(format, SPECIFIED[name])).toMatchObject({ is: 'value', value: specified });
  });

  test('reports a value of the wrong type for each of its keys, and names the key', () => {
    for (const path of leaves(specified)) {
      const read = parseFormat(format, JSON.stringify(changed(path, { wrong: true })));
      expect(read, path.join('.')).toMatchObject({
        is: 'invalid',
        problem: expect.stringContaining(path.join('.')),
      });
    }
  });

  test('reports an unknown key with its path', () => {
    expect(parseFormat(format, '{"modle": "opus"}')).toEqual({ is: 'invalid', problem: 'unknown key modle' });
    // Any role may have a time limit; `config check` knows the roles.
    const sections = Object.entries(specified as Tree).filter(
      ([key, value]) => isTree(value) && key !== 'timeouts',
    );
    for (const [section] of sections)
      expect(parseFormat(format, JSON.stringify({ [section]: { speed: 1 } }))).toEqual({
        is: 'invalid',
        problem: `unknown key ${section}.speed`,
      });
  });

  test('keeps the defaults of all other keys if one is set', () => {
    const defaults = format.shape.parse({}) as Tree;
    for (const path of leaves(defaults)) {
      const leaf = path.reduce<unknown>((value, key) => (value as Tree)[key], defaults);
      expect(format.shape.parse(changed(path, leaf)), path.join('.')).toEqual(defaults);
    }
  });
});

test.each([
  ['global', { max_iterations: 0 }, /^max_iterations: Too small/],
  ['global', { max_iterations: 1.5 }, /^max_iterations: /],
  ['global', { web_port: 70_000 }, /^web_port: Too big/],
  ['global', { tmux_session_prefix: 'a:b' }, /^tmux_session_prefix: /],
  ['global', { timeouts: { builder: '10m' } }, 'timeouts.builder: expected number, received string'],
  ['global', { timeout_action: 'ignore' }, /^timeout_action: .*"warn"\|"retry"\|"stop"/],
  ['global', { auto_retry: { recoverable_errors: ['permission'] } }, /^auto_retry\.recoverable_errors\.0: /],
  ['global', { budget_usd: -1 }, /^budget_usd: Too small/],
  ['verifier', { test_coverage: { min_percentage: 101 } }, /^test_coverage\.min_percentage: Too big/],
  ['refiner', { model: '' }, /^model: Too small/],
] as const)('%s.json with %j is refused, and the error names the key', (name, value, said) => {
  const read = parseFormat(configFiles[name] as FileFormat, JSON.stringify(value));
  expect(read.is === 'invalid' ? read.problem : 'accepted').toMatch(said);
});

const refused = 'expected a command such as npm ci';
test.each([
  [{ workspace: { setup: '' } }, `workspace.setup: ${refused}`],
  [{ workspace: { setup: ' \n\t' } }, `workspace.setup: ${refused}`],
  [{ checks: [{ name: 'lint', command: '' }] }, `checks.0.command: ${refused}`],
  [{ checks: [{ name: 'lint', command: '  ' }] }, `checks.0.command: ${refused}`],
])('a blank command is refused, and the problem names its key: %j', (written, problem) => {
  expect(parseFormat(configFiles.global, JSON.stringify(written))).toEqual({ is: 'invalid', problem });
});

test.each([{}, { workspace: {} }, { workspace: { setup: null } }])(
  'the set-up command is null if none is configured: %j',
  written => {
    expect(parseFormat(configFiles.global, JSON.stringify(written))).toMatchObject({
      is: 'value',
      value: { workspace: { setup: null } },
    });
  },
);
