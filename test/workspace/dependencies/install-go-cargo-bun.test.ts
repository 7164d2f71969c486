/** Set-ups with go, cargo and bun, against registries on this machine. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { InstallResult } from '../../../src/workspace/dependencies/install-dependencies.ts';
import { addGoModule } from '../../helpers/registry/go.ts';
import { installIn } from '../../helpers/registry/install-in-checkout.ts';
import { npmRegistry } from '../../helpers/registry/npm.ts';
import { type Person, personAt } from '../../helpers/registry/registry-user.ts';

const isMissing = (program: string): boolean =>
  spawnSync(program, [program === 'go' ? 'version' : '--version']).status !== 0;

let top: string;
let person: Person;
beforeEach(async () => {
  top = await mkdtemp(join(tmpdir(), 'dure-modules-'));
  person = await personAt(top, { npm: 'http://127.0.0.1:1' });
});
afterEach(async () => {
  // Go makes its modules read-only.
  execFileSync('chmod', ['-R', 'u+w', top]);
  await rm(top, { recursive: true, force: true, maxRetries: 20 });
});

async function tree(files: Readonly<Record<string, string>>): Promise<string> {
  const at = join(top, 'tree');
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(at, path)), { recursive: true });
    await writeFile(join(at, path), text);
  }
  execFileSync('git', ['init', '-q', at]);
  execFileSync('git', ['-C', at, 'add', '-A', '-f']);
  execFileSync('git', ['-C', at, '-c', 'user.name=x', '-c', 'user.email=x@x', 'commit', '-qm', 'x']);
  return at;
}

const install = (checkout: string, command: string, more: Record<string, string> = {}) =>
  installIn(top, { checkout, command, env: { ...person.env, ...more } });

/** Runs a command in the environment that the set-up provides for tests and checks. */
const run = ({ env, bin }: InstallResult, cwd: string, program: string, ...args: string[]): string =>
  execFileSync(program, args, {
    cwd,
    env: { ...person.env, ...env, PATH: [...bin, person.env['PATH']].join(':') },
    encoding: 'utf8',
  });

describe.skipIf(isMissing('go'))('Go', () => {
  it('downloads modules into the state folder, and tests run without a proxy', async () => {
    const proxy = join(top, 'proxy');
    await addGoModule(proxy, 'example.com/say', 'package say\n\nconst Word = "said"\n');
    const at = await tree({
      'go.mod': 'module example.com/own\n\ngo 1.16\n\nrequire example.com/say v1.0.0\n',
      'own_test.go':
        'package own\n\nimport (\n\t"testing"\n\n\t"example.com/say"\n)\n\nfunc TestSay(t *testing.T) {\n\tif say.Word != "said" {\n\t\tt.Fatal(say.Word)\n\t}\n}\n',
    });
    const env = { GOPROXY: `file://${proxy}`, GOSUMDB: 'off', GOFLAGS: '-mod=mod' };
    const done = await install(at, 'go mod download && go mod tidy', env);
    expect(done, done.log).toMatchObject({ ok: true });
    expect(run(done, at, 'go', 'test', './...')).toContain('ok');
  });

  it('creates go.mod for a package without one, and excludes it from the result', async () => {
    const at = await tree({
      'own_test.go': 'package own\n\nimport "testing"\n\nfunc TestOwn(t *testing.T) {}\n',
    });
    const done = await install(at, 'test -f go.mod || { go mod init example.com/own && go mod tidy; }');
    expect(done, done.log).toMatchObject({ ok: true, left: ['go.mod'] });
    expect(run(done, at, 'go', 'test', './...')).toContain('ok');
  });
});

describe.skipIf(isMissing('cargo'))('Cargo', () => {
  it('uses crates from the configured source, in tests too', async () => {
    const vendor = join(top, 'vendor');
    await mkdir(join(vendor, 'say/src'), { recursive: true });
    await writeFile(join(vendor, 'say/Cargo.toml'), '[package]\nname = "say"\nversion = "1.0.0"\n');
    await writeFile(join(vendor, 'say/src/lib.rs'), 'pub const WORD: &str = "said";\n');
    await writeFile(join(vendor, 'say/.cargo-checksum.json'), '{"files":{}}');
    await mkdir(join(person.home, '.cargo'));
    await writeFile(
      join(person.home, '.cargo/config.toml'),
      `[source.crates-io]\nreplace-with = "own"\n[source.own]\ndirectory = "${vendor}"\n`,
    );
    const at = await tree({
      '.gitignore': 'target\n',
      'Cargo.toml':
        '[package]\nname = "own"\nversion = "1.0.0"\nedition = "2021"\n[dependencies]\nsay = "1"\n',
      'src/lib.rs': '#[test]\nfn says() {\n    assert_eq!(say::WORD, "said");\n}\n',
    });
    const done = await install(at, 'cargo fetch');
    expect(done, done.log).toMatchObject({ ok: true });
    expect(done.readable).toContain(vendor);
    expect(run(done, at, 'cargo', 'test', '--lib')).toContain('1 passed');
  });
});

describe.skipIf(isMissing('bun'))('bun', () => {
  it("installs from the configured registry and does not hard-link files from bun's cache", async () => {
    const registry = await npmRegistry();
    try {
      const at = await tree({
        '.gitignore': 'node_modules\n',
        'package.json': '{"name":"own","dependencies":{"ms":"*"}}',
      });
      const done = await install(at, 'bun install', { BUN_CONFIG_REGISTRY: registry.url });
      expect(done, done.log).toMatchObject({ ok: true });
      expect(run(done, at, 'node', '-p', 'typeof require("ms")')).toBe('function\n');
      const linked = execFileSync('find', [join(at, 'node_modules'), '-type', 'f', '-links', '+1']);
      expect(linked.toString()).toBe('');
    } finally {
      await registry.close();
    }
  });
});
