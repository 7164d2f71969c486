import { SUITES, suite } from '../suite.ts';

export default suite({
  include: [...SUITES.pages],
  // A browser and a server on a busy machine; normally a test takes a few seconds.
  testTimeout: 300_000,
  hookTimeout: 300_000,
});
