/** Runs every benchmark in `bench/` in turn. Each is a separate program that says what it measures. */
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(import.meta.dirname, 'bench');
const benches = readdirSync(folder)
  .filter(name => name.endsWith('.mjs') && name !== 'scratch-project.mjs')
  .sort();
const failed = benches.filter(name => {
  console.log(`\n# ${name.slice(0, -'.mjs'.length)}`);
  return spawnSync(process.execPath, [join(folder, name)], { stdio: 'inherit' }).status !== 0;
});
if (failed.length > 0) {
  console.error(`\nNot measured: ${failed.join(', ')}`);
  process.exitCode = 1;
}
