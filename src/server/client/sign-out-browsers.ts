/** Ends the sessions of all browsers that show the web UI. */
import type { ProjectFiles } from '../../formats/layout.ts';
import { serverOf } from '../server-files.ts';
import { postToServer } from './post-to-server.ts';

/** Returns false if no server answers. */
export async function signOutBrowsers(project: ProjectFiles): Promise<boolean> {
  const server = await serverOf(project);
  return server !== null && (await postToServer(server, '/api/session/end')) !== null;
}
