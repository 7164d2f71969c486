/** The Go build cache that Dure fills for tests and checks. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findSandbox } from '../../src/process/sandbox/find-sandbox.ts';
import { project } from './sealed-project.ts';

const hasGo = spawnSync('go', ['version']).status === 0;
const { kind } = await findSandbox(process.env);

const FILES = {
  'go.mod': 'module example.com/sums\n\ngo 1.18\n',
  'sum.go': 'package sums\n\nimport "fmt"\n\nfunc Sum(a, b int) string { return fmt.Sprint(a - b) }\n',
};
const FIXED = { 'sum.go': FILES['sum.go'].replace('a - b', 'a + b') };
const testOf = (body: string, imports = '"testing"') =>
  `package sums\n\nimport (${imports})\n\nfunc TestSum(t *testing.T) {\n${body}\n}\n`;
const RIGHT = testOf('if Sum(1, 2) != "3" { t.Error(Sum(1, 2)) }');
const COMMAND = 'go test -count=1 -v ./...';

/** Hashes of the files in the cache, by path. */
function cached(state: string): Map<string, string> {
  const folder = join(state, 'compiled/go/cache');
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(each => each.isFile());
  return new Map(
    files.map(({ parentPath, name }) => {
      const path = join(parentPath, name);
      return [path, createHash('sha256').update(readFileSync(path)).digest('hex')];
    }),
  );
}

describe.skipIf(!hasGo)('the Go build cache', () => {
  test('holds what a test run needs, so that the run compiles only what differs', async () => {
    const { prove, state } = await project(FILES);
    // The test program runs after everything was compiled.
    const counts = testOf(
      `home, _ := os.UserHomeDir()
      linked, compiled := 0, 0
      filepath.Walk(filepath.Join(home, ".cache", "go-build"), func(path string, info os.FileInfo, err error) error {
        if info.Mode()&os.ModeSymlink != 0 { linked++ } else if strings.HasSuffix(path, "-d") { compiled++ }
        return nil
      })
      t.Logf("linked=%d compiled=%d", linked, compiled)`,
      '"os"; "path/filepath"; "strings"; "testing"',
    );
    const output = await prove(FIXED, { 'sum_test.go': counts }, COMMAND);
    expect(output.machine).toBe('pass');
    const [, linked, compiled] = /linked=(\d+) compiled=(\d+)/.exec(output.stdout)!.map(Number);
    expect(linked).toBe(cached(state).size);
    expect(linked).toBeGreaterThan(20);
    // With an empty cache, these would be some 30.
    expect(compiled).toBeLessThan(15);
  });

  test('is filled without running project code', async () => {
    const { prove, state } = await project({
      ...FILES,
      'main_test.go':
        'package sums\n\nimport ("os"; "testing")\n\nfunc TestMain(m *testing.M) { os.Exit(7) }\nfunc init() { panic("run") }\n',
    });
    const output = await prove(FIXED, { 'sum_test.go': RIGHT }, COMMAND);
    expect(output.machine).not.toBe('pass');
    expect(cached(state).size).toBeGreaterThan(20);
    const broken = await prove(
      { 'sum.go': 'package sums\n\nfunc Sum() {' },
      { 'sum_test.go': RIGHT },
      COMMAND,
    );
    expect(broken.machine).not.toBe('pass');
  });

  test.skipIf(kind === 'none')('cannot be changed by tests', async () => {
    const { prove, state } = await project(FILES);
    await prove(FIXED, { 'sum_test.go': RIGHT }, COMMAND);
    const before = cached(state);
    const attack = testOf(
      `home, _ := os.UserHomeDir()
      refused := 0
      filepath.Walk(filepath.Join(home, ".cache", "go-build"), func(path string, info os.FileInfo, err error) error {
        if err == nil && info.Mode()&os.ModeSymlink != 0 && os.WriteFile(path, []byte("changed"), 0o600) != nil { refused++ }
        return nil
      })
      if refused < 20 { t.Error(refused) }`,
      '"os"; "path/filepath"; "testing"',
    );
    expect((await prove(FIXED, { 'sum_test.go': attack }, COMMAND)).machine).toBe('pass');
    expect(cached(state)).toEqual(before);
    expect((await prove({}, { 'sum_test.go': RIGHT }, COMMAND)).machine).toBe('fail');
  });
});
