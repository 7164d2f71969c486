/**
 * The one large file of every command, oclif and what lists need, compiled once for all calls: V8's code cache, kept in
 * the person's cache folder. Without it a command takes half as long again. It is only ever a shortcut: a cache that is
 * absent, torn, somebody else's or not to be written changes nothing but the time.
 */
import { readFileSync } from 'node:fs';
import { createRequire, Module } from 'node:module';
import { homedir, platform } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { Script } from 'node:vm';
import { keep, recall } from './kept-code.ts';

declare const __DURE_LIGHT__: string;

/** Callers a cache is made for; it holds the functions that each of them used. */
const CALLERS = 12;

/** Loads the file as `require` would, and puts it where `require` finds it. `root` is the folder of package.json. */
export function prepare(root: string): void {
  // A debugger and coverage want the source as Node loads it.
  if (process.env['NODE_V8_COVERAGE'] || process.env['NODE_DISABLE_COMPILE_CACHE']) return;
  const file = join(root, 'dist', __DURE_LIGHT__);
  const place = join(cacheDir(), 'v8', keyOf(file));
  const known = recall(place);
  // The build writes ASCII only, so that this needs no decoding.
  const source = Module.wrap(readFileSync(file, 'latin1'));
  const script = new Script(source, { filename: file, ...(known && { cachedData: known.code }) });
  run(script, file);
  const callers = known && script.cachedDataRejected === false ? known.callers : [];
  const caller = /^[\w-]{1,16}$/.exec(process.argv[2] ?? '')?.[0] ?? 'other';
  if (callers.includes(caller) || callers.length >= CALLERS) return;
  process.once('exit', () => keep(place, { callers: [...callers, caller], code: script.createCachedData() }));
}

type Wrapped = (exports: object, require: NodeJS.Require, module: Module, file: string, dir: string) => void;

function run(script: Script, file: string): void {
  const module = new Module(file);
  module.filename = file;
  require.cache[file] = module;
  const wrapped = script.runInThisContext() as Wrapped;
  wrapped.call(module.exports, module.exports, sparing(createRequire(file)), module, file, dirname(file));
  module.loaded = true;
}

/** What most commands name but never use, and takes long to load. */
const SELDOM_USED = /^node:(child_process|crypto|perf_hooks|readline)$|\/importing-[^/]*$/;

/** A `require` that loads those when they are first asked for something. */
function sparing(require: NodeJS.Require): NodeJS.Require {
  const spared = (id: string) =>
    SELDOM_USED.test(id) ? new Proxy({}, { get: (_, name) => require(id)[name] }) : require(id);
  return Object.assign(spared, require);
}

/** The build's hash is in the file's name. V8 refuses what another version made, or other flags: each has its own. */
function keyOf(file: string): string {
  const flags = [...process.execArgv, process.env['NODE_OPTIONS'] ?? ''].join(' ').replace(/[^\w=-]+/g, '.');
  return [basename(file, '.cjs'), process.version, process.arch, flags].join('-').slice(0, 200);
}

/** As oclif finds it. */
function cacheDir(): string {
  const { env } = process;
  const home = env['HOME'] || homedir();
  const base = platform() === 'darwin' ? join(home, 'Library', 'Caches') : join(home, '.cache');
  return env['DURE_CACHE_DIR'] || join(env['XDG_CACHE_HOME'] || base, 'dure');
}
