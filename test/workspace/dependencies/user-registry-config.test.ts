import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'smol-toml';
import { expect, onTestFinished, test } from 'vitest';
import { packageManagerConfig } from '../../../src/workspace/dependencies/user-registry-config.ts';
import { writeFiles } from '../../helpers/git-repositories.ts';

const CARGO = `[registries.my-own]
index = "sparse+https://crates.example.com/"
token = "s3cret"
credential-provider = ["/usr/bin/print-token"]
[registry]
token = "s3cret"
[http]
proxy = "user:s3cret@proxy.example.com:8080"
timeout = 5
[build]
rustc-wrapper = "sccache"
`;

test("Cargo's config.toml, which builds and tests read, contains no credentials: only downloads get them", async () => {
  const HOME = await mkdtemp(join(tmpdir(), 'dure-cargo-'));
  onTestFinished(() => rm(HOME, { recursive: true, force: true }));
  await writeFiles(HOME, { '.cargo/config.toml': CARGO });
  const { cargo, env } = await packageManagerConfig({ HOME });
  expect(parse(cargo)).toEqual({
    registries: { 'my-own': { index: 'sparse+https://crates.example.com/' } },
    registry: {},
    http: { timeout: 5 },
  });
  expect(env).toMatchObject({
    CARGO_REGISTRIES_MY_OWN_TOKEN: 's3cret',
    CARGO_REGISTRY_TOKEN: 's3cret',
    CARGO_HTTP_PROXY: 'user:s3cret@proxy.example.com:8080',
  });
});
