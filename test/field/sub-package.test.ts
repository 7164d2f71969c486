import { subPackage } from './samples/sub-package.ts';
import { testSample } from './test-sample.ts';

testSample(subPackage);
