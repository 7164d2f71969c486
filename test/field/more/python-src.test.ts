import { pythonSrc } from '../samples/python-src.ts';
import { tried } from '../tried.ts';

tried(pythonSrc);
