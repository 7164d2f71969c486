/**
 * Checks the package as a user gets it: packed, installed with each Node version, and used from another
 * folder with an empty home. Includes a whole rehearsed run, a linked plugin, completion in three shells, and
 * types. Stops at the first error.
 */

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  symlinkSync,
} from 'node:fs';
import { rm } from 'node:fs/promises';
import { builtinModules } from 'node:module';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { nodes } from './check-package/node-binaries.mjs';
import { typeChecks } from './check-package/plugin-types.mjs';
import { completes } from './check-package/shell-completion.mjs';

const root = resolve(import.meta.dirname, '..');
const top = realpathSync(mkdtempSync(join(tmpdir(), 'dure-pack-')));
const said = (program, args, options) =>
  execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'], ...options });

/** Copies the files that git does not ignore, so that ignored files are not packed. */
function copied() {
  const copy = join(top, 'sources');
  const files = said('git', ['ls-files', '-co', '--exclude-standard', '-z'], { cwd: root })
    .split('\0')
    .filter(Boolean);
  for (const file of files) if (existsSync(join(root, file))) cpSync(join(root, file), join(copy, file));
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  return copy;
}

function packed(sources) {
  const text = said('npm', ['pack', '--json', '--silent', '--pack-destination', top], { cwd: sources });
  const [pack] = JSON.parse(text.slice(text.indexOf('[')));
  const paths = pack.files.map(file => file.path);
  for (const file of [
    'LICENSE',
    'README.md',
    'oclif.manifest.json',
    'bin/run.js',
    'dist/types/index.d.ts',
    'dist/ui/index.html',
    'dist/THIRD-PARTY-NOTICES.txt',
    'dist/sbom.cdx.json',
  ])
    assert(paths.includes(file), `${file} is not in the package`);
  console.log(`tarball ${mb(pack.size)}, unpacked ${mb(pack.unpackedSize)}, ${paths.length} files`);
  return { tarball: join(top, pack.filename), size: pack.size };
}

const mb = bytes => `${(bytes / 1e6).toFixed(1)} MB`;

/** Checks that the README gives the sizes of the tarball and the installation correctly to within 10%. */
function sizesAreRight(size, prefix) {
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  const named = /\((\d+(?:\.\d)?) MB, (\d+(?:\.\d)?) MB installed/.exec(readme)?.slice(1).map(Number) ?? [];
  const [kilobytes] = said('du', ['-sk', '--apparent-size', prefix]).split('\t');
  console.log(`installed with its dependencies: ${mb(kilobytes * 1024)}`);
  for (const [i, bytes] of [size, kilobytes * 1024].entries())
    assert(
      Math.abs(named[i] - bytes / 1e6) < bytes / 1e7,
      `README.md says ${named[i]} MB, measured ${mb(bytes)}`,
    );
}

/** Checks that every package that the installed code imports is in `dependencies`. */
function declaresItsImports(folder) {
  const { dependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const imports = readdirSync(join(folder, 'dist'), { recursive: true })
    .filter(name => name.endsWith('.js') && !name.startsWith('ui'))
    .flatMap(name => [
      ...readFileSync(join(folder, 'dist', name), 'utf8').matchAll(
        /^(?:import|export)\b.*\bfrom "([^".]+)";$/gm,
      ),
    ])
    .map(([, id]) =>
      id
        .replace(/^node:/, '')
        .split('/')
        .slice(0, id.startsWith('@') ? 2 : 1)
        .join('/'),
    );
  const missing = [...new Set(imports)].filter(id => !builtinModules.includes(id) && !dependencies[id]);
  assert.deepEqual(missing, [], 'imported, but not in dependencies');
  said('npm', ['ls', '--omit=dev', '--all'], { cwd: folder });
}

/** Checks that the notices contain the licence of every package in the SBOM. */
function hasNotices(folder) {
  const notices = readFileSync(join(folder, 'dist/THIRD-PARTY-NOTICES.txt'), 'utf8');
  const { components } = JSON.parse(readFileSync(join(folder, 'dist/sbom.cdx.json'), 'utf8'));
  assert(components.length > 50, `only ${components.length} bundled packages`);
  for (const { 'bom-ref': ref } of components)
    assert.match(notices, new RegExp(`^${ref.replace(/[.+]/g, '\\$&')}\nLicense: \\S`, 'm'));
}

/** Checks that every relative link in the packed documents leads to a packed file. */
function linksLeadSomewhere(folder) {
  const documents = ['README.md', ...readdirSync(join(folder, 'docs')).map(name => `docs/${name}`)];
  const links = documents
    .filter(name => name.endsWith('.md'))
    .flatMap(name =>
      [...readFileSync(join(folder, name), 'utf8').matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)].map(
        ([, path]) => `${dirname(name)}/${path}`,
      ),
    );
  assert.deepEqual(
    links.filter(path => !existsSync(join(folder, path))),
    [],
    'links that lead nowhere',
  );
}

function installed(tarball, { version, bin }) {
  const prefix = join(top, version);
  const env = {
    PATH: [join(prefix, 'bin'), bin, process.env.PATH].join(delimiter),
    HOME: join(top, `${version}-home`),
    LANG: 'C.UTF-8',
  };
  mkdirSync(env.HOME, { recursive: true });
  // Uses the user's npm configuration, because dependencies come from the registry that it names.
  const flags = [
    '--global',
    '--prefix',
    prefix,
    '--prefer-offline',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ];
  said('npm', ['install', ...flags, tarball], { env: { ...process.env, PATH: env.PATH } });
  return { env, folder: join(prefix, 'lib/node_modules/dure'), dure: callable('dure', [], env) };
}

const callable = (program, before, env) => (args, options) =>
  said(program, [...before, ...args], { cwd: '/', env, ...options });

function rehearsed({ dure, env }, dir) {
  const plugin = join(dir, 'notify-file');
  cpSync(join(root, 'examples/notify-file'), plugin, { recursive: true });
  dure(['plugins', 'link', '--no-install', plugin], { stdio: 'ignore' });
  assert.match(dure(['plugins']), /dure-notify-file/);
  const notices = join(dir, 'notices.log');
  const project = join(dir, 'project');
  dure(['demo', '--yes', '--keep', project], { env: { ...env, DURE_NOTIFY_FILE: notices }, stdio: 'ignore' });
  const status = JSON.parse(dure(['status', '--json', '--project', project]));
  assert.equal(status.phase, 'completed');
  assert.match(
    readFileSync(notices, 'utf8'),
    new RegExp(status.run_id),
    'the plugin received no notification',
  );
  dure(['plugins', 'uninstall', 'dure-notify-file'], { stdio: 'ignore' });
  return { project, run: status.run_id };
}

/** Returns the output of several commands, which must be the same for every way of installing Dure. */
const answers = (dure, cwd) =>
  [
    ['--version'],
    ['--help'],
    ['start', '--help'],
    ['status', '--json'],
    ['history'],
    ['logs'],
    ['config', 'check'],
    ['completion', 'bash'],
    ['plugins'],
  ].map(args => dure(args, { cwd }));

try {
  const sources = copied();
  const { tarball, size } = packed(sources);
  let first = null;
  for (const node of nodes()) {
    const one = installed(tarball, node);
    declaresItsImports(one.folder);
    const { project, run } = rehearsed(one, join(top, `${node.version}-work`));
    const { checked, missing } = await completes({
      dir: join(top, `${node.version}-tty`),
      env: one.env,
      project,
      run,
    });
    console.log(
      `${node.version}: run, plugin, completion in ${checked.join(', ') || 'no shell'}${missing.length > 0 ? ` (not here: ${missing.join(', ')})` : ''}`,
    );
    first ??= { ...one, node, project };
  }
  sizesAreRight(size, join(first.folder, '../../..'));
  hasNotices(first.folder);
  linksLeadSomewhere(first.folder);
  typeChecks({ dir: join(top, 'author'), installed: first.folder });
  console.log('types: a plugin in TypeScript checks against the installed package alone');

  const { env, project, dure, node } = first;
  const expected = answers(dure, project);
  assert.deepEqual(
    answers(callable(process.execPath, [join(sources, 'bin/run.js')], env), project),
    expected,
  );
  const linked = { ...env, PATH: [join(top, 'linked/bin'), node.bin, process.env.PATH].join(delimiter) };
  mkdirSync(join(top, 'linked/lib'), { recursive: true });
  const link = ['link', '--offline', '--ignore-scripts', '--no-audit', '--no-fund', '--silent'];
  said('npm', link, { cwd: sources, env: { ...linked, npm_config_prefix: join(top, 'linked') } });
  assert.deepEqual(answers(callable('dure', [], linked), project), expected);
  console.log('a checkout and `npm link` say the same');
} finally {
  await rm(top, { recursive: true, force: true, maxRetries: 20 });
}
