import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** The real `claude` against a loopback API: slow to install, so it is no part of `npm test`. */
export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  resolve: { alias: { dure: fileURLToPath(new URL('../../src/index.ts', import.meta.url)) } },
  test: {
    include: ['test/contract/**/*.test.ts'],
    globalSetup: ['test/helpers/build.ts', 'test/contract/install.ts'],
    testTimeout: 120_000,
    hookTimeout: 300_000,
    maxWorkers: 1,
  },
});
