import { SUITES, suite } from '../suite.ts';

export default suite({
  include: [...SUITES.proof],
  // An exam runs tests many times; normally a test takes less than a minute.
  testTimeout: 600_000,
  hookTimeout: 600_000,
});
