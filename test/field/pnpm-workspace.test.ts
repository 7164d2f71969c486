import { pnpmWorkspace } from './samples/pnpm-workspace.ts';
import { testSample } from './test-sample.ts';

testSample(pnpmWorkspace);
