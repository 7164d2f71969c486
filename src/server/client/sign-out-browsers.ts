/** Signs all browsers out of the running server. */
import type { ProjectFiles } from '../../formats/layout.ts';
import { serverOf } from '../server-files.ts';
import { postToServer } from './post-to-server.ts';

/** Ends the sessions of all browsers that show the web UI. Returns false if no server answers. */
export async function signOutBrowsers(project: ProjectFiles): Promise<boolean> {
  const server = await serverOf(project);
  return server !== null && (await postToServer(server, '/api/session/end')) !== null;
}
