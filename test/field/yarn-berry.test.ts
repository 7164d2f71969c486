import { yarnBerry } from './samples/yarn-berry.ts';
import { testSample } from './test-sample.ts';

testSample(yarnBerry);
