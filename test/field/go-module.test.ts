import { tried } from './sample-tests.ts';
import { goModule } from './samples/go-module.ts';

tried(goModule);
