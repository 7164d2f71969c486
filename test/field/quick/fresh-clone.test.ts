import { tried } from '../sample-tests.ts';
import { freshClone } from '../samples/fresh-clone.ts';

tried(freshClone);
