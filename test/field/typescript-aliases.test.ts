import { tried } from './sample-tests.ts';
import { typescriptAliases } from './samples/typescript-aliases.ts';

tried(typescriptAliases);
