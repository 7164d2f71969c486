/** Builds everything into `dist/`; `npm ci` calls it through `prepare`. Each file is replaced atomically. */
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
import { gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';
import { evaluated } from './evaluate-module.mjs';
import { writeTypes } from './generate-types.mjs';
import { noticesOf, writeNotices } from './third-party-notices.mjs';

const root = resolve(import.meta.dirname, '..');
const at = (...parts) => join(root, ...parts);

/**
 * Programs with their packages bundled in: the fast path, which must start quickly, and the programs that run in a
 * pane, which must survive an update of the installation.
 */
const BUNDLED = {
  'fast-path': 'src/fast-path.ts',
  runner: 'src/agents/runner-main.ts',
  consult: 'src/agents/consult-human-main.ts',
  'sandbox-relay': 'src/agents/sandbox-relay-main.ts',
  rehearse: 'src/agents/rehearse-main.ts',
};

/** Built as CommonJS, so that plugins can also load `dure` with `require`. */
const COMMONJS = {
  'plugin-process': 'src/plugins/plugin-process-main.ts',
  index: 'src/index.ts',
};

/** Modules that the build evaluates and replaces with their exports. */
const EVALUATED = [
  'src/formats/schema/precompiled-file-schemas.ts',
  'src/formats/events/precompiled-event-schemas.ts',
  'src/formats/config/setting-names.ts',
];

const sources = (folder, nameOf) =>
  Object.fromEntries(
    listFiles(at(folder)).flatMap(file => {
      const name = nameOf(file.replaceAll('\\', '/'));
      return name ? [[name, `${folder}/${file}`]] : [];
    }),
  );
const commandEntries = () => ({
  ...sources('src/commands', file => /^(.*)\.ts$/.test(file) && `commands/${file.slice(0, -3)}`),
  ...sources('plugins', file => {
    const [, name] = /^[^/]+\/src\/commands\/(.+)\.ts$/.exec(file) ?? [];
    return name && `commands/${name}`;
  }),
});
const pluginEntries = () =>
  sources('plugins', file => {
    const [, name] = /^([^/]+)\/src\/index\.ts$/.exec(file) ?? [];
    return name && `plugins/${name}`;
  });

export async function build() {
  const started = Date.now();
  const packages = [...(await buildPrograms()), ...(await buildPages())];
  await buildTypes();
  await writeNotices(at('dist'), packages);
  return Date.now() - started;
}

/** Builds all programs. Returns the package modules that are bundled into them. */
export async function buildPrograms() {
  const next = at(`.cache/build-${process.pid}`);
  rmSync(next, { recursive: true, force: true });
  const modules = await bundle(next, BUNDLED, CJS);
  await bundle(next, COMMONJS, CJS, isPackage);
  await bundle(
    next,
    { cli: 'src/cli.ts', help: 'src/terminal/help.ts', ...commandEntries(), ...pluginEntries() },
    ESM,
    isPackage,
  );
  modules.push(...(await bundle(next, { prove: 'src/proof/prove-pack/prove-mjs-main.ts' }, ONE_FILE)));
  moveInto(next, at('dist'), file => !/^(types|ui)\/|^[^/]+\.(txt|json)$/.test(file));
  await writeManifest();
  return modules;
}

const CJS = {
  format: 'cjs',
  exports: 'named',
  entryFileNames: '[name].cjs',
  chunkFileNames: 'chunks/[name]-[hash].cjs',
};
const ESM = { format: 'esm', chunkFileNames: 'chunks/[name]-[hash].js' };

/**
 * A program that is copied from the package into each pack as a single file. More than half of it is packages, mainly
 * zod and the grammars with which the exam parses code. It is minified; an auditor who builds it from the sources gets
 * the same bytes. It ends with the licences of the packages.
 */
const ONE_FILE = {
  format: 'esm',
  entryFileNames: '[name].mjs',
  codeSplitting: false,
  minify: true,
  // The bundled CommonJS packages use `__filename`.
  banner: "import { fileURLToPath as pathOf } from 'node:url';const __filename = pathOf(import.meta.url);",
  postFooter: ({ moduleIds }) => `/*\n${noticesOf(moduleIds).replaceAll('*/', '* /')}*/\n`,
};

/** Warnings to ignore. For example, other programs statically import modules that the fast path loads on demand. */
const IGNORED = ['EVAL', 'CIRCULAR_DEPENDENCY', 'INEFFECTIVE_DYNAMIC_IMPORT'];

const isPackage = (id, importer) => importer !== undefined && /^[@a-z]/.test(id) && id !== 'dure';

async function bundle(dir, input, output, external = []) {
  const { version } = JSON.parse(readFileSync(at('package.json'), 'utf8'));
  const bundling = await rolldown({
    cwd: root,
    platform: 'node',
    input,
    external,
    resolve: { alias: { dure: at('src/index.ts') } },
    moduleTypes: { '.md': 'text' },
    transform: { define: { __DURE_VERSION__: JSON.stringify(version) } },
    plugins: [evaluating()],
    checks: { bundlerTimings: false },
    onLog(level, log, report) {
      if (!IGNORED.includes(log.code) && !log.id?.includes('node_modules')) report(level, log);
    },
  });
  const written = await bundling.write({ dir, ...output });
  await bundling.close();
  return modulesOf(written);
}

const modulesOf = ({ output }) => output.flatMap(({ modules = {} }) => Object.keys(modules));

/** Evaluates modules during the build and replaces them with their exports. */
const evaluating = () => ({
  name: 'evaluating',
  load: {
    filter: { id: EVALUATED.map(file => at(file)) },
    async handler(id) {
      return Object.entries(await evaluated(id))
        .map(
          ([name, value]) =>
            // Parsing JSON is faster than compiling an object literal.
            `export const ${name} = JSON.parse(${JSON.stringify(JSON.stringify(value))});`,
        )
        .join('\n');
    },
  },
});

/** Builds the web UI. Returns the modules that are bundled into it. */
export async function buildPages() {
  const outDir = at(`.cache/pages-${process.pid}`);
  const vite = await import('vite');
  // A test runner sets NODE_ENV, and Vite would then build the web UI for development.
  const { NODE_ENV } = process.env;
  process.env.NODE_ENV = 'production';
  const built = await vite.build({
    configFile: at('src/server/ui/vite.config.ts'),
    root: at('src/server/ui'),
    logLevel: 'warn',
    build: { outDir, emptyOutDir: true },
  });
  if (NODE_ENV === undefined) delete process.env.NODE_ENV;
  else process.env.NODE_ENV = NODE_ENV;
  for (const file of listFiles(join(outDir, 'assets')).map(name => join(outDir, 'assets', name)))
    writeFileSync(`${file}.gz`, gzipSync(readFileSync(file), { level: 9 }));
  moveInto(outDir, at('dist/ui'), () => true);
  return modulesOf(built);
}

export async function buildTypes() {
  const next = at(`.cache/types-${process.pid}`);
  await writeTypes(next);
  moveInto(next, at('dist/types'), () => true);
}

/**
 * A running program may still load chunks of an earlier build, so they stay for a while. No program runs from
 * a package that is being packed or published, so its old chunks are removed at once.
 */
const CHUNKS_STAY_MS = ['pack', 'publish'].includes(process.env.npm_command) ? -1 : 600_000;

/** Replaces files one by one, each atomically, because programs may be running. */
function moveInto(from, to, isOurs) {
  const files = listFiles(from);
  const isChunk = file => file.startsWith('chunks');
  // Chunks first: a program must never refer to a missing one.
  for (const file of [...files.filter(isChunk), ...files.filter(file => !isChunk(file))]) {
    mkdirSync(dirname(join(to, file)), { recursive: true });
    renameSync(join(from, file), join(to, file));
  }
  const now = Date.now();
  for (const file of existsSync(to) ? listFiles(to) : []) {
    if (files.includes(file) || !isOurs(file)) continue;
    if (!isChunk(file) || now - statSync(join(to, file)).mtimeMs > CHUNKS_STAY_MS) rmSync(join(to, file));
  }
  rmSync(from, { recursive: true, force: true });
}

const listFiles = dir =>
  readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => relative(dir, join(entry.parentPath, entry.name)));

/** Writes oclif.manifest.json with oclif's own Plugin class, so that commands are known without loading them. */
async function writeManifest() {
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
  // oclif lists commands in the order of the file system, which varies.
  const commands = Object.entries(plugin.manifest.commands).sort(([a], [b]) => (a < b ? -1 : 1));
  const manifest = { ...plugin.manifest, commands: Object.fromEntries(commands) };
  const text = `${JSON.stringify(manifest, null, 2)}\n`;
  const file = at('oclif.manifest.json');
  if (existsSync(file) && readFileSync(file, 'utf8') === text) return;
  writeFileSync(`${file}.${process.pid}`, text);
  renameSync(`${file}.${process.pid}`, file);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const part = { programs: buildPrograms, types: buildTypes }[process.argv[2]];
  if (part) await part();
  else console.log(`built in ${await build()} ms`);
}
