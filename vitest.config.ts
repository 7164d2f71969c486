import { defineConfig } from 'vitest/config';

export default defineConfig({
  resolve: { alias: { dure: new URL('./src/index.ts', import.meta.url).pathname } },
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/contract/**', '**/node_modules/**', '**/.dure/**'],
    globalSetup: ['test/helpers/build.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
  },
});
