import { tried } from './sample-tests.ts';
import { rustCrate } from './samples/rust-crate.ts';

tried(rustCrate);
