import { tried } from './sample-tests.ts';
import { jestRoot } from './samples/jest-root.ts';

tried(jestRoot);
