/**
 * Runs the benchmarks in `bench/` in turn: those named in the arguments, or all of them. Each is a separate program
 * that says what it measures.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(import.meta.dirname, 'bench');
const benches = readdirSync(folder)
  .filter(name => name.endsWith('.mjs'))
  .map(name => name.slice(0, -'.mjs'.length))
  .sort();
const named = process.argv.slice(2);
const unknown = named.filter(name => !benches.includes(name));
if (unknown.length > 0) {
  console.error(`No such benchmark: ${unknown.join(', ')}. There are: ${benches.join(', ')}.`);
  process.exit(2);
}
const failed = (named.length > 0 ? named : benches).filter(name => {
  console.log(`\n# ${name}`);
  return spawnSync(process.execPath, [join(folder, `${name}.mjs`)], { stdio: 'inherit' }).status !== 0;
});
if (failed.length > 0) {
  console.error(`\nNot measured: ${failed.join(', ')}`);
  process.exitCode = 1;
}
