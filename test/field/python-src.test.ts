import { pythonSrc } from './samples/python-src.ts';
import { testSample } from './test-sample.ts';

testSample(pythonSrc);
