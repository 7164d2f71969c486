import { pnpmWorkspace } from '../samples/pnpm-workspace.ts';
import { tried } from '../tried.ts';

tried(pnpmWorkspace);
