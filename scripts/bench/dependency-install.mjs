/**
 * Measures how long it takes to install 200 MB of packages in a tree, the first time and from a prepared
 * folder. The packages are archives in the tree, so no registry or network is involved; everything else is as
 * in a run: npm, the sandbox if there is one, the prepared folder, the copy.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { rolldown } from 'rolldown';

const PACKAGES = 40;
const FILES = 500;
const BYTES = 10_000;

const root = resolve(import.meta.dirname, '../..');
const top = mkdtempSync(join(tmpdir(), 'dure-bench-'));

/** Loads the modules to measure, built from source. */
async function loaded() {
  const entry = join(top, 'entry.ts');
  const from = name => `export * from ${JSON.stringify(join(root, 'src', name))};\n`;
  writeFileSync(
    entry,
    from('workspace/dependencies/install-dependencies.ts') + from('process/sandbox/find-sandbox.ts'),
  );
  const file = join(top, 'entry.mjs');
  const bundling = await rolldown({
    input: entry,
    platform: 'node',
    resolve: { modules: [join(root, 'node_modules')] },
    onLog: () => {},
  });
  await bundling.write({ file, format: 'esm' });
  return import(file);
}

function project() {
  const files = join(top, 'package');
  mkdirSync(files);
  for (let i = 0; i < FILES; i += 1) writeFileSync(join(files, `f${i}.js`), `// ${'x'.repeat(BYTES)}\n`);
  const vendor = join(top, 'vendor');
  mkdirSync(vendor);
  const dependencies = {};
  for (let i = 0; i < PACKAGES; i += 1) {
    const name = `package-${i}`;
    writeFileSync(join(files, 'package.json'), JSON.stringify({ name, version: '1.0.0' }));
    execFileSync('tar', ['-C', top, '-czf', join(vendor, `${name}.tgz`), 'package']);
    dependencies[name] = `file:vendor/${name}.tgz`;
  }
  return { name: 'sample', private: true, dependencies };
}

/** Makes a new tree for a measurement. */
function tree(name, manifest) {
  const at = join(top, name);
  mkdirSync(at);
  writeFileSync(join(at, 'package.json'), JSON.stringify(manifest));
  execFileSync('cp', ['-R', join(top, 'vendor'), join(at, 'vendor')]);
  execFileSync('git', ['init', '-q', at]);
  return at;
}

try {
  const { installDependencies, findSandbox } = await loaded();
  const manifest = project();
  const sandbox = await findSandbox(process.env);
  const measured = async name => {
    const done = await installDependencies({
      checkout: tree(name, manifest),
      directory: '.',
      command: 'npm install',
      env: process.env,
      sandbox,
      stateFolder: join(top, 'state'),
      onOutput: () => {},
      signal: new AbortController().signal,
    });
    if (!done.ok) throw new Error(done.problem);
    if (done.reused !== (name !== 'first')) throw new Error(`${name}: reused is ${done.reused}`);
    return `${(done.duration_ms / 1000).toFixed(1)} s`;
  };
  const size = execFileSync('du', ['-sm', join(top, 'package')], { encoding: 'utf8' }).split('\t')[0];
  console.log(
    `set-up of ${PACKAGES} packages of ${size} MB, ${PACKAGES * FILES} files; sandbox: ${sandbox.kind}`,
  );
  console.log(`first time    ${await measured('first')}`);
  console.log(`second time   ${await measured('second')}`);
} finally {
  rmSync(top, { recursive: true, force: true, maxRetries: 20 });
}
