/**
 * What a stranger gets: the package is packed, installed offline under each version of Node, and used from another
 * folder with an empty home. A whole rehearsed run, a linked plugin, completion in three shells, types. Ends with the
 * first thing that is wrong.
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
import { delimiter, join, resolve } from 'node:path';
import { typeChecks } from './pack/author.mjs';
import { completes } from './pack/completes.mjs';
import { nodes } from './pack/nodes.mjs';

const root = resolve(import.meta.dirname, '..');
const top = realpathSync(mkdtempSync(join(tmpdir(), 'dure-pack-')));
const said = (program, args, options) =>
  execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'], ...options });

/** The sources as git has them, so that nothing that merely lies about comes along. */
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
  ])
    assert(paths.includes(file), `${file} is not in the package`);
  sizesAreSaid(pack);
  console.log(`tarball ${kb(pack.size)}, installed ${kb(pack.unpackedSize)}, ${paths.length} files`);
  return join(top, pack.filename);
}
/** The README names both sizes in MB; a twentieth more or less is still true. */
function sizesAreSaid({ size, unpackedSize }) {
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  const said = /\((\d+\.\d) MB, (\d+\.\d) MB installed/.exec(readme)?.slice(1).map(Number) ?? [];
  for (const [i, bytes] of [size, unpackedSize].entries())
    assert(Math.abs(said[i] - bytes / 1e6) < bytes / 2e7, `README.md says ${said[i]} MB of ${bytes} bytes`);
}
const kb = bytes => `${Math.round(bytes / 1024)} KB`;

/** Asked for only when they are there: compilers oclif could use, and what makes sockets a little faster. */
const OPTIONAL = [
  'typescript',
  'ts-node',
  'tsx',
  'pnpapi',
  'npm',
  'yarn',
  'bufferutil',
  'utf-8-validate',
  'fsevents',
];

function standsAlone(installed) {
  assert(!existsSync(join(installed, 'node_modules')), 'something was installed with it');
  const asked = readdirSync(join(installed, 'dist'), { recursive: true })
    .filter(name => name.endsWith('.cjs'))
    .flatMap(name => [
      ...readFileSync(join(installed, 'dist', name), 'latin1').matchAll(/\brequire\("([^"./][^"]*)"\)/g),
    ])
    .map(([, id]) => id.replace(/^node:/, '').split('/')[0]);
  const foreign = [...new Set(asked)].filter(id => !builtinModules.includes(id) && !OPTIONAL.includes(id));
  assert.deepEqual(foreign, [], 'modules that neither the package nor Node has');
}

function installed(tarball, { version, bin }) {
  const prefix = join(top, version);
  const env = {
    PATH: [join(prefix, 'bin'), bin, process.env.PATH].join(delimiter),
    HOME: join(top, `${version}-home`),
    LANG: 'C.UTF-8',
  };
  mkdirSync(env.HOME, { recursive: true });
  said(
    'npm',
    ['install', '--global', '--prefix', prefix, '--offline', '--no-audit', '--no-fund', '--silent', tarball],
    { env },
  );
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
  assert.match(readFileSync(notices, 'utf8'), new RegExp(status.run_id), 'the plugin heard nothing');
  dure(['plugins', 'uninstall', 'dure-notify-file'], { stdio: 'ignore' });
  return { project, run: status.run_id };
}

/** What one way of having Dure prints has to be what every other prints. */
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
  const tarball = packed(sources);
  let first = null;
  for (const node of nodes()) {
    const one = installed(tarball, node);
    standsAlone(one.folder);
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
