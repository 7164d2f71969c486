import { SUITES, suite } from '../suite.ts';

export default suite({
  include: [...SUITES.pages],
  // A browser and a server on a busy machine; normally a test takes a few seconds.
  testTimeout: 600_000,
  hookTimeout: 600_000,
});
