import { tried } from './sample-tests.ts';
import { yarnBerry } from './samples/yarn-berry.ts';

tried(yarnBerry);
