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
import { Visitor } from 'rolldown/utils';
import { evaluated } from './evaluated.mjs';
import { writeTypes } from './types.mjs';

const root = resolve(import.meta.dirname, '..');
const at = (...parts) => join(root, ...parts);

/** Programs that have a process of their own: each starts with what it needs and nothing else. */
const PROGRAMS = {
  runner: 'src/agents/runner-main.ts',
  consult: 'src/agents/consult-main.ts',
  rehearse: 'src/agents/rehearse/main.ts',
  stranger: 'src/plugins/stranger-main.ts',
};

/** What oclif, and who writes a plugin, ask for by name. */
const IN_PROCESS = {
  cli: 'src/cli.ts',
  index: 'src/index.ts',
  'help-en': 'src/terminal/help.ts',
  'help-ko': 'src/terminal/korean-help.ts',
};

/** What every call of `dure` loads, and the commands that only read: one file, so that its code can be cached whole. */
const LIGHT = [
  'src/cli.ts',
  'src/launch/wsl.ts',
  'src/terminal/help.ts',
  ...['__complete', 'completion', 'help', 'history', 'logs', 'status'].map(name => `src/commands/${name}.ts`),
];

/** Modules that the build runs, and replaces by the values they export. */
const EVALUATED = ['src/formats/shapes.ts', 'src/formats/event-shapes.ts', 'src/formats/setting-names.ts'];

const sources = (folder, nameOf) =>
  Object.fromEntries(
    listFiles(at(folder)).flatMap(file => {
      const name = nameOf(file.replaceAll('\\', '/'));
      return name ? [[name, `${folder}/${file}`]] : [];
    }),
  );
const commandEntries = () =>
  sources('src/commands', file => /^(.*)\.ts$/.test(file) && `commands/${file.slice(0, -3)}`);
const pluginEntries = () =>
  sources('plugins', file => {
    const [, name] = /^([^/]+)\/src\/index\.ts$/.exec(file) ?? [];
    return name && `plugins/${name}`;
  });

export async function build() {
  const started = Date.now();
  await buildPrograms();
  await buildPages();
  await buildTypes();
  return Date.now() - started;
}

export async function buildPrograms() {
  const next = at(`.cache/build-${process.pid}`);
  rmSync(next, { recursive: true, force: true });
  await bundle(next, PROGRAMS);
  const chunks = await bundle(
    next,
    { ...IN_PROCESS, ...commandEntries(), ...pluginEntries() },
    { codeSplitting: { groups: lightGroups() }, comments: false },
  );
  const light = chunks.find(chunk => chunk.name === 'light');
  await bundle(
    next,
    { launch: 'src/launch.ts' },
    {
      minify: true,
      codeSplitting: { groups: [{ name: 'short', test: /src\/launch\/short-ways\.ts$/ }] },
    },
    { __DURE_LIGHT__: JSON.stringify(light.fileName) },
  );
  moveInto(next, at('dist'), file => !file.startsWith('types/') && !file.startsWith('ui/'));
  await writeManifest();
}

async function bundle(dir, input, output = {}, define = {}) {
  const { version } = JSON.parse(readFileSync(at('package.json'), 'utf8'));
  const bundling = await rolldown({
    ...COMMON,
    input,
    transform: { define: { __DURE_VERSION__: JSON.stringify(version), ...define } },
    plugins: [evaluating(), importingByName(), inAscii()],
    onLog(level, log, report) {
      if (log.code !== 'EVAL' && log.code !== 'CIRCULAR_DEPENDENCY' && !log.id?.includes('node_modules'))
        report(level, log);
    },
  });
  const written = await bundling.write({
    dir,
    format: 'cjs',
    exports: 'named',
    entryFileNames: '[name].cjs',
    chunkFileNames: 'chunks/[name]-[hash].cjs',
    ...output,
  });
  await bundling.close();
  return written.output;
}

const COMMON = {
  cwd: root,
  platform: 'node',
  external: [
    /\/cli\.cjs$/,
    ...['typescript', 'ts-node', 'tsx', 'pnpapi', 'npm', 'yarn', 'bufferutil', 'utf-8-validate', 'fsevents'],
  ],
  resolve: { alias: { dure: at('src/index.ts'), 'wsl-utils': at('src/launch/wsl.ts') } },
  moduleTypes: { '.md': 'text' },
};

const lightGroups = () => [
  { name: 'importing', test: /src\/launch\/importing\.ts$/, priority: 2 },
  {
    name: 'light',
    test: id => LIGHT.includes(relative(root, id)) || /\/@oclif\/core\//.test(id),
    priority: 1,
  },
];

/** oclif imports plugins by name; in the light file, which is run from a cache, only `importing` can. */
const importingByName = () => ({
  name: 'importing-by-name',
  transform: {
    filter: { id: /@oclif\/core\/lib\/.*\.js$/, code: /\bimport\(/ },
    handler(code) {
      const edits = [];
      new Visitor({
        ImportExpression({ start, source }) {
          if (source.type !== 'Literal') edits.push(start);
        },
      }).visit(this.parse(code));
      const by = at('src/launch/importing.ts');
      return edits.reduceRight(
        (text, start) =>
          `${text.slice(0, start)}require(${JSON.stringify(by)}).importing${text.slice(start + 'import'.length)}`,
        code,
      );
    },
  },
});

/** A file of ASCII is read without being decoded. Escapes mean the same wherever such characters may stand in code. */
const inAscii = () => ({
  name: 'in-ascii',
  // The last hook: after it nothing is printed anew.
  generateBundle(_, files) {
    for (const file of Object.values(files))
      if (file.type === 'chunk')
        file.code = file.code.replace(
          /[^\0-\x7f]/g,
          unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
        );
  },
});

/** The module is run here and now; what it exports takes its place. */
const evaluating = () => ({
  name: 'evaluating',
  load: {
    filter: { id: EVALUATED.map(file => at(file)) },
    async handler(id) {
      return Object.entries(await evaluated(id))
        .map(
          ([name, value]) =>
            // Read as JSON: that is quicker than to compile it, and to keep it compiled.
            `export const ${name} = JSON.parse(${JSON.stringify(JSON.stringify(value))});`,
        )
        .join('\n');
    },
  },
});

export async function buildPages() {
  const outDir = at(`.cache/pages-${process.pid}`);
  const vite = await import('vite');
  // A test runner that builds has set it otherwise, and Vite would build the pages for development.
  const { NODE_ENV } = process.env;
  process.env.NODE_ENV = 'production';
  await vite.build({
    configFile: at('src/server/ui/vite.config.ts'),
    root: at('src/server/ui'),
    logLevel: 'warn',
    build: { outDir, emptyOutDir: true },
  });
  if (NODE_ENV === undefined) delete process.env.NODE_ENV;
  else process.env.NODE_ENV = NODE_ENV;
  moveInto(outDir, at('dist/ui'), () => true);
}

export async function buildTypes() {
  const next = at(`.cache/types-${process.pid}`);
  await writeTypes(next);
  moveInto(next, at('dist/types'), () => true);
}

/** A program that runs may still ask for parts of the build it began with; a package is for those who begin. */
const LINGERS_MS = ['pack', 'publish'].includes(process.env.npm_command) ? -1 : 600_000;

/** Replaces file by file, so that a program that is running meanwhile finds whole files. */
function moveInto(from, to, isOurs) {
  const files = listFiles(from);
  // What is asked for by name comes last: the parts it names are there before it is.
  const parts = files.filter(file => file.startsWith('chunks'));
  for (const file of [...parts, ...files.filter(file => !parts.includes(file))]) {
    mkdirSync(dirname(join(to, file)), { recursive: true });
    renameSync(join(from, file), join(to, file));
  }
  const now = Date.now();
  for (const file of existsSync(to) ? listFiles(to) : []) {
    const stale = !files.includes(file) && isOurs(file);
    if (stale && now - statSync(join(to, file)).mtimeMs > LINGERS_MS) rmSync(join(to, file));
  }
  rmSync(from, { recursive: true, force: true });
}

const listFiles = dir =>
  readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => relative(dir, join(entry.parentPath, entry.name)));

/** oclif.manifest.json, made with oclif's own Plugin: commands are then known without being loaded. */
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
  // oclif lists them as they come from disk, which is not always the same.
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
