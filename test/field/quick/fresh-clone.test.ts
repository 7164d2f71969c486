import { freshClone } from '../samples/fresh-clone.ts';
import { tried } from '../tried.ts';

tried(freshClone);
