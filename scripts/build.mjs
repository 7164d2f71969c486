/** Builds everything that is run: `npm ci` calls it through `prepare`. Files appear in `dist/` whole, one by one. */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';

const root = resolve(import.meta.dirname, '..');
const at = (...parts) => join(root, ...parts);

/** Programs and modules that stand on their own, by the name they have in `dist/`. */
const ENTRIES = {
  launch: 'src/launch.ts',
  cli: 'src/cli.ts',
  index: 'src/index.ts',
  runner: 'src/agents/runner-main.ts',
  consult: 'src/agents/consult-main.ts',
  rehearse: 'src/agents/rehearse/main.ts',
  stranger: 'src/plugins/stranger-main.ts',
};

const present = entries =>
  Object.fromEntries(Object.entries(entries).filter(([, file]) => existsSync(at(file))));
const pluginEntries = () =>
  Object.fromEntries(
    readdirSync(at('plugins'))
      .filter(name => existsSync(at('plugins', name, 'src/index.ts')))
      .map(name => [`plugins/${name}`, `plugins/${name}/src/index.ts`]),
  );

export async function build() {
  const started = Date.now();
  await buildPrograms();
  await buildPages();
  return Date.now() - started;
}

export async function buildPrograms() {
  const next = at(`.cache/build-${process.pid}`);
  rmSync(next, { recursive: true, force: true });
  const { version } = JSON.parse(readFileSync(at('package.json'), 'utf8'));
  const bundle = await rolldown({
    cwd: root,
    input: { ...present(ENTRIES), ...pluginEntries() },
    platform: 'node',
    external: [
      'typescript',
      'ts-node',
      'tsx',
      'pnpapi',
      'npm',
      'yarn',
      'bufferutil',
      'utf-8-validate',
      'fsevents',
    ],
    resolve: { alias: { dure: at('src/index.ts') } },
    moduleTypes: { '.md': 'text' },
    transform: { define: { __DURE_VERSION__: JSON.stringify(version) } },
    onLog(level, log, report) {
      if (log.code !== 'EVAL' && log.code !== 'CIRCULAR_DEPENDENCY' && !log.id?.includes('node_modules'))
        report(level, log);
    },
  });
  await bundle.write({
    dir: next,
    format: 'cjs',
    exports: 'named',
    entryFileNames: '[name].cjs',
    chunkFileNames: 'chunks/[name]-[hash].cjs',
  });
  await bundle.close();
  moveInto(next, at('dist'), file => !file.startsWith('types/') && !file.startsWith('ui/'));
  await writeManifest();
}

export async function buildPages() {
  const outDir = at(`.cache/pages-${process.pid}`);
  const vite = await import('vite');
  await vite.build({
    configFile: at('src/server/ui/vite.config.ts'),
    root: at('src/server/ui'),
    logLevel: 'warn',
    build: { outDir, emptyOutDir: true },
  });
  moveInto(outDir, at('dist/ui'), () => true);
}

/** Replaces file by file, so that a program that is running meanwhile finds whole files. */
function moveInto(from, to, isOurs) {
  const files = listFiles(from);
  for (const file of files) {
    mkdirSync(dirname(join(to, file)), { recursive: true });
    renameSync(join(from, file), join(to, file));
  }
  const now = Date.now();
  for (const file of existsSync(to) ? listFiles(to) : []) {
    const stale = !files.includes(file) && isOurs(file);
    if (stale && now - statSync(join(to, file)).mtimeMs > 600_000) rmSync(join(to, file));
  }
  rmSync(from, { recursive: true, force: true });
}

const listFiles = dir =>
  readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => relative(dir, join(entry.parentPath, entry.name)));

/** oclif.manifest.json, made with oclif's own Plugin: commands are then known without being loaded. */
async function writeManifest() {
  if (!existsSync(at('dist/cli.cjs'))) return;
  const { Plugin } = createRequire(import.meta.url)('@oclif/core');
  const plugin = new Plugin({
    root,
    isRoot: true,
    type: 'core',
    name: 'dure',
    ignoreManifest: true,
    errorOnManifestCreate: true,
    respectNoCacheDefault: true,
  });
  await plugin.load();
  const text = `${JSON.stringify(plugin.manifest, null, 2)}\n`;
  const file = at('oclif.manifest.json');
  if (!existsSync(file) || readFileSync(file, 'utf8') !== text) writeFileSync(file, text);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  if (process.argv[2] === 'programs') await buildPrograms();
  else console.log(`built in ${await build()} ms`);
}
