import { jestRoot } from '../samples/jest-root.ts';
import { tried } from '../tried.ts';

tried(jestRoot);
