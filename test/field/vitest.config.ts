import { SUITES, suite } from '../suite.ts';

export default suite({ include: [...SUITES.field] });
