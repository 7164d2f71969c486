/** Evaluates a source module during the build and returns its exports. */
import { createRequire } from 'node:module';
import { rolldown } from 'rolldown';

export async function evaluated(file) {
  const bundling = await rolldown({ input: file, platform: 'node' });
  const { output } = await bundling.generate({ format: 'cjs', exports: 'named', codeSplitting: false });
  await bundling.close();
  const module = { exports: {} };
  const run = new Function('module', 'exports', 'require', output[0].code);
  run(module, module.exports, createRequire(import.meta.url));
  return module.exports;
}
