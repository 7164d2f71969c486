import { yarnBerry } from '../samples/yarn-berry.ts';
import { tried } from '../tried.ts';

tried(yarnBerry);
