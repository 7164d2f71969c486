import { tried } from './sample-tests.ts';
import { pnpmWorkspace } from './samples/pnpm-workspace.ts';

tried(pnpmWorkspace);
