import { SUITES, suite } from '../suite.ts';

export default suite({
  include: [...SUITES.forgeries],
  // Whole runs, several at once; normally a test takes less than half a minute.
  testTimeout: 600_000,
  hookTimeout: 600_000,
});
