/** Checks the direction of imports by reading the import statements. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, test } from 'vitest';

const root = new URL('../../', import.meta.url).pathname;

interface Import {
  /** Relative to the project, or the name of a package. */
  readonly of: string;
  readonly typesOnly: boolean;
}

const filesBelow = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && /\.(ts|tsx|mts)$/.test(entry.name) && !/\.d\.ts$/.test(entry.name))
    .map(entry => relative(root, join(entry.parentPath, entry.name)))
    .filter(file => !file.includes('node_modules'));

const textOf = (file: string): string => readFileSync(join(root, file), 'utf8');
/** The code without its comments. */
const codeOf = (file: string): string => textOf(file).replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');

function importsOf(file: string): Import[] {
  const code = codeOf(file);
  const stated = [
    ...code.matchAll(/^\s*(?:import|export)\s+(type\s+)?(?:([^'";]*?)\s+from\s+)?['"]([^'"]+)['"]/gm),
  ];
  const called = [...code.matchAll(/\bimport\(\s*['"]([^'"]+)['"]/g)];
  return [
    ...stated.map(([, type, names = '', of]) => ({
      of: resolved(file, of!),
      typesOnly: Boolean(type) || areTypes(names),
    })),
    ...called.map(([, of]) => ({ of: resolved(file, of!), typesOnly: false })),
  ];
}

const resolved = (file: string, of: string): string => (of.startsWith('.') ? join(dirname(file), of) : of);

/** `{ type A, type B }` */
function areTypes(names: string): boolean {
  const inner = /^\{([^}]*)\}$/.exec(names.trim())?.[1];
  const listed = inner?.split(',').flatMap(name => name.trim() || []) ?? [];
  return listed.length > 0 && listed.every(name => name.startsWith('type '));
}

const SRC = filesBelow('src');
const PURE = SRC.filter(file => /^src\/core\/(policy|text)\//.test(file));
PURE.push(
  ...[
    'rerun-tests-script',
    'checks-section',
    'criteria-section',
    'build-evidence',
    'proof-section',
    'rules-section',
    'summary',
    'warnings',
  ].map(part => `src/core/run/pack/${part}.ts`),
  'src/core/usage-tracker.ts',
  'src/formats/text/plain-text.ts',
  'src/formats/agent-rule-paths.ts',
  'src/formats/text/shell-words.ts',
);

/** Imports that break a rule, as `a -> b`. */
const breaches = (files: readonly string[], forbidden: (one: Import, file: string) => boolean): string[] =>
  files.flatMap(file =>
    importsOf(file)
      .filter(one => forbidden(one, file))
      .map(one => `${file} -> ${one.of}`),
  );

test('importsOf finds every kind of import', () => {
  const seen = SRC.flatMap(importsOf);
  expect(seen).toContainEqual({ of: 'node:fs/promises', typesOnly: false });
  expect(seen).toContainEqual({ of: 'src/formats/state.ts', typesOnly: true });
  expect(seen).toContainEqual({ of: 'src/core/policy/decide.ts', typesOnly: false });
  expect(importsOf('src/core/orchestrator.ts')).toContainEqual({
    of: 'src/core/policy/decide.ts',
    typesOnly: false,
  });
});

test('every file listed as pure exists', () => {
  expect(PURE.filter(file => !SRC.includes(file))).toEqual([]);
});

test('the pure files import only each other, errors.ts, and types from src/formats and the plugin interface', () => {
  expect(
    breaches(
      PURE,
      ({ of, typesOnly }) =>
        !PURE.includes(of) &&
        of !== 'src/errors.ts' &&
        !(typesOnly && (of.startsWith('src/formats/') || of === 'src/index.ts')),
    ),
  ).toEqual([]);
});

test.each(PURE)('%s uses no clock, no randomness, no process and nothing asynchronous', file => {
  const impure =
    /\b(Date\.now|new Date\(\s*\)|Math\.random|process|globalThis|performance|async|await|Promise|setTimeout|setInterval|fetch|console)\b/;
  expect(impure.exec(codeOf(file).replaceAll(/'[^'\n]*'|`[^`]*`/g, "''"))?.[0]).toBeUndefined();
});

test('AbortSignal.any and AbortSignal.timeout are not used, because in Node 20 they may never fire', () => {
  const own = 'src/process/abort-signals-and-timeouts.ts';
  const files = [...SRC, ...filesBelow('plugins')].filter(file => file !== own);
  expect(files.filter(file => /\bAbortSignal\.(any|timeout)\b/.test(codeOf(file)))).toEqual([]);
});

test('durations are measured with performance.now(), because the system clock may be changed', () => {
  // Date.now() is only for comparisons with a recorded time from a log, a record or a file.
  const duration = /Date\.now\(\) (?:\+|[<>] (?!0)|- (?!Date\.parse|performance\.now|mtime|time\b))/;
  expect(SRC.filter(file => duration.test(codeOf(file)))).toEqual(['src/server/sessions/sessions.ts']);
});

test("folders are watched through src/formats/file-system/watch-folder.ts, because Node's fs.watch may throw", () => {
  // `dure doctor` checks whether a folder can be watched.
  const own = ['src/formats/file-system/watch-folder.ts', 'src/doctor/examine-machine.ts'];
  const watches = /import \{[^}]*\bwatch\b[^}]*\} from 'node:fs(\/promises)?'/;
  expect(SRC.filter(file => watches.test(codeOf(file)))).toEqual(own.sort());
});

test('no disk failure counts as a missing file: unlessDiskFails rethrows such errors', () => {
  const folders = /^src\/(core|daemon|workspace|proof(?!\/prove-pack)|formats|process|agents\/runner)\//;
  const swallows =
    /\b(load|read\w*|lstat|stat|realpath|access|open\w*|is\w+|\w+Of)\((?:[^()]|\([^()]*\))*\)\s*\.catch\(\(\) => (?!\{\}\))/;
  // These report another error, or only show what they read.
  const best = ['driven-runs', 'end-tmux-sessions', 'ensure-driver-and-pages', 'orphaned-runs'];
  expect(SRC.filter(file => folders.test(file) && swallows.test(codeOf(file))).sort()).toEqual([
    'src/core/run/wait-out-errors.ts',
    ...best.map(name => `src/daemon/${name}.ts`),
  ]);
  const sync = SRC.filter(file => /^src\/(core|daemon)\//.test(file) && codeOf(file).includes('existsSync'));
  expect(sync).toEqual([]);
});

test('formats import only each other and errors.ts; formats/file-system imports only its own files and errors.ts', () => {
  const allowed = {
    'src/formats/file-system/': ['src/formats/file-system/'],
    'src/formats/': ['src/formats/'],
  };
  for (const [folder, imported] of Object.entries(allowed))
    expect(
      breaches(
        SRC.filter(file => file.startsWith(folder)),
        ({ of }) =>
          of.startsWith('src/') && of !== 'src/errors.ts' && !imported.some(each => of.startsWith(each)),
      ),
    ).toEqual([]);
});

test('outside src/core, only src/daemon/drive-run.ts imports the loop', () => {
  const shell = [
    'src/core/orchestrator.ts',
    'src/core/run/observe-run.ts',
    'src/core/run/effects/perform-effect.ts',
    'src/core/run/launch/prepare-launch.ts',
    'src/core/run/launch/reconcile-desired-launch.ts',
  ];
  expect(shell.filter(file => !SRC.includes(file))).toEqual([]);
  const files = SRC.filter(file => !file.startsWith('src/core/') && file !== 'src/daemon/drive-run.ts');
  expect(breaches(files, ({ of, typesOnly }) => !typesOnly && shell.includes(of))).toEqual([]);
});

test('core imports neither commands nor server nor terminal', () => {
  const files = SRC.filter(file => file.startsWith('src/core/'));
  expect(breaches(files, ({ of }) => /^src\/(commands|server|terminal)\//.test(of))).toEqual([]);
});

test('workspace does not import proof, and core does not import plugins; only the reverse is allowed', () => {
  const forbidden = { 'src/workspace/': 'src/proof/', 'src/core/': 'src/plugins/' };
  for (const [folder, user] of Object.entries(forbidden)) {
    const files = SRC.filter(file => file.startsWith(folder));
    expect(breaches(files, ({ of }) => of.startsWith(user))).toEqual([]);
  }
});

test('only src/cli.ts may import a command', () => {
  const files = SRC.filter(file => file !== 'src/cli.ts');
  expect(breaches(files, ({ of }) => of.startsWith('src/commands/'))).toEqual([]);
});

test('there are no circular imports', () => {
  // Modules take types from the plugin interface, whose entry also exports what plugins may call.
  const isCounted = ({ of, typesOnly }: Import) => SRC.includes(of) && !(typesOnly && of === 'src/index.ts');
  const left = new Map(
    SRC.map(file => [
      file,
      importsOf(file)
        .filter(isCounted)
        .map(({ of }) => of),
    ]),
  );
  // Removes the modules that import none of the remaining ones or that none of them imports, until only circles are left.
  const isFree = (file: string) =>
    !left.get(file)!.some(of => left.has(of)) ||
    ![...left.values()].some(imported => imported.includes(file));
  for (let free = SRC.filter(isFree); free.length > 0; free = [...left.keys()].filter(isFree))
    for (const file of free) left.delete(file);
  expect([...left.keys()]).toEqual([]);
});

test('plugins import only the plugin interface, oclif, zod, Node modules and their own files', () => {
  const ours = (file: string) => file.split('/').slice(0, 2).join('/');
  expect(
    breaches(
      filesBelow('plugins'),
      ({ of }, file) =>
        !['dure', 'zod', '@oclif/core'].includes(of) &&
        !of.startsWith('node:') &&
        !of.startsWith(`${ours(file)}/`),
    ),
  ).toEqual([]);
});

/** The exception is synchronous and used only on macOS: at a time limit, a process that is alive would count as dead. */
const UNLIMITED = ['src/process/identity.ts'];

test('every program that is run for its output has a time limit, or is ended by a signal', () => {
  // After `run = promisify(execFile);`, the rest of the file counts as the call.
  const call = /\bexecFile(?:(?:Sync|\))?\([\s\S]*?(?:;\n|$)|\);[\s\S]*)/g;
  const calls = (file: string) => codeOf(file).match(call) ?? [];
  const files = [...SRC, ...filesBelow('plugins')].filter(file => calls(file).length > 0);
  expect(files.length).toBeGreaterThan(5);
  const isLimited = (text: string) => /\b(?:timeout|signal|limits)\b/.test(text);
  expect(files.filter(file => !calls(file).every(isLimited))).toEqual(UNLIMITED);
});

/** Modules that may be longer, with the reason. */
const LONG: Readonly<Record<string, string>> = {
  'src/errors.ts': 'a table of messages',
  'src/index.ts': 'types with their documentation, published as one file',
  'src/words/cli/ko-errors.ts': 'a table of sentences',
  'src/words/pages/en.ts': 'a table of sentences',
  'src/words/pages/ko.ts': 'a table of sentences',
};

test('no module is longer than 300 lines without a reason', () => {
  const long = SRC.filter(file => textOf(file).split('\n').length > 300);
  expect(long.filter(file => !(file in LONG))).toEqual([]);
  expect(Object.keys(LONG).filter(file => !long.includes(file))).toEqual([]);
});

test('no folder directly contains more than 35 files', () => {
  const folders = SRC.map(file => dirname(file));
  const size = (folder: string) => folders.filter(each => each === folder).length;
  expect([...new Set(folders)].filter(folder => size(folder) > 35)).toEqual([]);
});

const EXPORT = /^export (?:async )?(?:function\*?|const|class|interface|type) +(\w+)/gm;
const exportedBy = (file: string) => [...textOf(file).matchAll(EXPORT)].map(([, name]) => name!);

test('no two modules export the same name, except in the plugin API', () => {
  const homes = new Map<string, string[]>();
  // The demo contains modules as texts.
  for (const file of SRC.filter(each => each !== 'src/index.ts'))
    for (const name of file.endsWith('/demo-files.ts') ? [] : exportedBy(file))
      homes.set(name, [...new Set([...(homes.get(name) ?? []), file])]);
  expect([...homes].filter(([, files]) => files.length > 1)).toEqual([]);
});
