import { SUITES, suite } from '../suite.ts';

export default suite({
  include: [...SUITES.field],
  // Whole runs and real package managers; normally a test takes less than a minute.
  testTimeout: 600_000,
  hookTimeout: 600_000,
});
