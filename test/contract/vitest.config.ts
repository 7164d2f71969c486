import { SUITES, suite } from '../suite.ts';

export default suite({
  include: [...SUITES.contract],
  globalSetup: ['test/helpers/build-before-tests.ts', 'test/contract/install-claude.ts'],
  testTimeout: 600_000,
  hookTimeout: 300_000,
  maxWorkers: 1,
});
