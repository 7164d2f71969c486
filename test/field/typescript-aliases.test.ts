import { typescriptAliases } from './samples/typescript-aliases.ts';
import { testSample } from './test-sample.ts';

testSample(typescriptAliases);
