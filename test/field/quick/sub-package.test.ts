import { subPackage } from '../samples/sub-package.ts';
import { tried } from '../tried.ts';

tried(subPackage);
