import { jestRoot } from './samples/jest-root.ts';
import { testSample } from './test-sample.ts';

testSample(jestRoot);
