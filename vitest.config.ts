import { defineConfig } from 'vitest/config';

/** As the build does with `moduleTypes`: Markdown is imported as its text. */
export const markdownAsText = {
  name: 'markdown-as-text',
  enforce: 'pre' as const,
  transform: (text: string, id: string) =>
    id.endsWith('.md') ? { code: `export default ${JSON.stringify(text)};`, map: null } : null,
};

export default defineConfig({
  plugins: [markdownAsText],
  resolve: { alias: { dure: new URL('./src/index.ts', import.meta.url).pathname } },
  test: {
    include: ['test/**/*.test.ts'],
    exclude: [
      'test/contract/**',
      'test/field/more/**',
      'test/forgeries/**',
      '**/node_modules/**',
      '**/.dure/**',
    ],
    globalSetup: ['test/helpers/build.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
    // Machines of CI are shared and noisy: there a test that fails is tried again before it counts. Here it is not.
    retry: process.env['CI'] ? 2 : 0,
  },
});
