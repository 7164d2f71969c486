import { goModule } from '../samples/go-module.ts';
import { tried } from '../tried.ts';

tried(goModule);
