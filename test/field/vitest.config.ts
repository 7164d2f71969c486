import { suite } from '../suite.ts';

export default suite({ include: ['test/field/**/*.test.ts'] });
