import { SUITES, suite } from '../suite.ts';

export default suite({ include: [...SUITES.forgeries], testTimeout: 180_000 });
