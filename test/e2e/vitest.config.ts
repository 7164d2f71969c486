import { SUITES, suite } from '../suite.ts';

export default suite({ include: [...SUITES.e2e] });
