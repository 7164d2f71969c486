import { npmWorkspaces } from '../samples/npm-workspaces.ts';
import { tried } from '../tried.ts';

tried(npmWorkspaces);
