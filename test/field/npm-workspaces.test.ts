import { tried } from './sample-tests.ts';
import { npmWorkspaces } from './samples/npm-workspaces.ts';

tried(npmWorkspaces);
