import { SUITES, suite } from '../suite.ts';

/** A whole run takes several seconds, ten times as long on a busy machine, and a test may need several. */
const PATIENCE_MS = 600_000;

export default suite({
  include: [...SUITES.e2e],
  testTimeout: PATIENCE_MS,
  hookTimeout: PATIENCE_MS,
  expect: { poll: { timeout: PATIENCE_MS / 2 } },
});
