import { typescriptAliases } from '../samples/typescript-aliases.ts';
import { tried } from '../tried.ts';

tried(typescriptAliases);
