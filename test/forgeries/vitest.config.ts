import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { markdownAsText } from '../../vitest.config.ts';

/** Forged results against whole runs, each with the sandbox and without: minutes, so they are no part of `npm test`. */
export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  plugins: [markdownAsText],
  resolve: { alias: { dure: fileURLToPath(new URL('../../src/index.ts', import.meta.url)) } },
  test: {
    include: ['test/forgeries/**/*.test.ts'],
    globalSetup: ['test/helpers/build.ts'],
    testTimeout: 180_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
  },
});
