/**
 * The suites that are too slow for `npm test`, each with a script `test:<name>`, and the shared vitest configuration.
 * A test file that is in none of them is part of `npm test`.
 */
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { type ViteUserConfig as Config, defineConfig } from 'vitest/config';

const root = new URL('..', import.meta.url);

export const SUITES = {
  /** Whole runs, drivers, sessions, plugins that hang, and commands in a real terminal. */
  e2e: ['test/e2e/**/*.test.ts', 'test/commands/{terminal-bell,terminal-screens}.test.ts'],
  /** The web UI in a real browser. */
  pages: ['test/pages/**/*.test.ts'],
  /**
   * Sample repositories of nine kinds, package managers and other tools, all with loopback registries. A tenth sample,
   * in `test/field/quick`, is part of `npm test`.
   */
  field: ['test/field/*.test.ts'],
  /** The exam, the project's checks, checkouts and dure prove, with real test runners and git. */
  proof: [
    'test/proof/exam/{break-change,crashes-as-assertions,exam-forgeries,large-change,member-calls,member-crashes,member-existence,ignore-old-behaviour-failures,negated-assertions,run-exam,tests-independent-of-unbroken-files,tests-that-do-not-run-on-base,tests-that-throw}.test.ts',
    'test/proof/checks/run-checks.test.ts',
    'test/proof/go-build-cache.test.ts',
    'test/proof/proof-checkout.test.ts',
    'test/proof/prove-pack/prove.test.ts',
  ],
  /** Forged results in whole runs. */
  forgeries: ['test/forgeries/**/*.test.ts'],
  /** The real `claude` against a loopback API. */
  contract: ['test/contract/**/*.test.ts'],
} as const;

/** Markdown is imported as text, as in the build (`moduleTypes`). */
const markdownAsText = {
  name: 'markdown-as-text',
  enforce: 'pre' as const,
  transform: (text: string, id: string) =>
    id.endsWith('.md') ? { code: `export default ${JSON.stringify(text)};`, map: null } : null,
};

export const suite = (test: NonNullable<Config['test']>): Config =>
  defineConfig({
    root: fileURLToPath(root),
    plugins: [markdownAsText],
    resolve: { alias: { dure: fileURLToPath(new URL('src/index.ts', root)) } },
    test: {
      globalSetup: ['test/helpers/build-before-tests.ts'],
      // Node itself loads the built program.
      server: { deps: { external: [/\/dist\/.*\.js$/] } },
      // Tests wait for events, not for a fixed time. The limit ends only tests that hang, even on a slow machine.
      testTimeout: 300_000,
      hookTimeout: 300_000,
      expect: { poll: { timeout: 60_000 } },
      // Tests mostly wait for processes, so more files run than there are cores.
      maxWorkers: Math.ceil(1.5 * availableParallelism()),
      ...test,
    },
  });
