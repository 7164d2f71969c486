import { rustCrate } from '../samples/rust-crate.ts';
import { tried } from '../tried.ts';

tried(rustCrate);
