/**
 * Imports a plugin. If it does not have `dure` in its `node_modules`, its `import 'dure'` is resolved to the Dure that
 * loads it.
 */
import Module, { register } from 'node:module';
import { pathToFileURL } from 'node:url';
import { distFile, packageRoot } from '../process/package-paths-and-version.ts';

/** Imports of `dure` in ES modules are redirected only if they fail, because a redirect needs another thread. */
export async function importPlugin(url: string): Promise<unknown> {
  resolveInCommonJs();
  try {
    return await import(url);
  } catch (error) {
    if (!/^Cannot find package 'dure'/.test((error as Error).message)) throw error;
    resolveInModules();
    // Node caches the failed import, so import it under a different URL.
    return import(`${url}?dure`);
  }
}

function resolveInModules(): void {
  const parentURL = pathToFileURL(`${packageRoot}/package.json`).href;
  const source = `export const resolve = (name, context, next) =>
    next(name, name === 'dure' ? { ...context, parentURL: ${JSON.stringify(parentURL)} } : context);`;
  register(`data:text/javascript,${encodeURIComponent(source)}`);
}

type Resolve = (name: string, ...rest: unknown[]) => string;

/** Redirects `require('dure')`. Before `module.registerHooks` (Node 22.15), Node has no documented way to do so. */
function resolveInCommonJs(): void {
  const internal = Module as unknown as { _resolveFilename: Resolve };
  const { _resolveFilename: original } = internal;
  internal._resolveFilename = (name, ...rest) =>
    name === 'dure' ? distFile('index.cjs') : original.call(Module, name, ...rest);
}
