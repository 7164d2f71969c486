import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { markdownAsText } from '../../vitest.config.ts';

/** Whole runs in sample repositories, with set-up and tests of each: minutes, so most of them are no part of `npm test`. */
export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  plugins: [markdownAsText],
  resolve: { alias: { dure: fileURLToPath(new URL('../../src/index.ts', import.meta.url)) } },
  test: {
    include: ['test/field/**/*.test.ts'],
    globalSetup: ['test/helpers/build.ts'],
    maxWorkers: 2,
  },
});
