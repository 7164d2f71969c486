import { tried } from './sample-tests.ts';
import { subPackage } from './samples/sub-package.ts';

tried(subPackage);
