import { freshClone } from '../samples/fresh-clone.ts';
import { testSample } from '../test-sample.ts';

testSample(freshClone);
