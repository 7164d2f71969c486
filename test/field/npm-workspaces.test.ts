import { npmWorkspaces } from './samples/npm-workspaces.ts';
import { testSample } from './test-sample.ts';

testSample(npmWorkspaces);
