import { goModule } from './samples/go-module.ts';
import { testSample } from './test-sample.ts';

testSample(goModule);
