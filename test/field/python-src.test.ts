import { tried } from './sample-tests.ts';
import { pythonSrc } from './samples/python-src.ts';

tried(pythonSrc);
