import { SUITES, suite } from './test/suite.ts';

/** `npm test`: everything but the slow suites. */
export default suite({
  include: ['test/**/*.test.ts'],
  exclude: [...Object.values(SUITES).flat(), '**/node_modules/**', '**/.dure/**'],
});
