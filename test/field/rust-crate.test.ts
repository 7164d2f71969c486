import { rustCrate } from './samples/rust-crate.ts';
import { testSample } from './test-sample.ts';

testSample(rustCrate);
