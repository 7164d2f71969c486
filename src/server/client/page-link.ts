/** A link to the web UI: an address with a one-time code, and a function that opens it in a browser. */

import { spawn } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import type { ProjectFiles } from '../../formats/layout.ts';
import { serverOf } from '../server-files.ts';
import { postToServer, SERVER_TIMEOUT_MS } from './post-to-server.ts';
import { hasScreen, writeRedirectPage } from './write-redirect-page.ts';

export interface PageLink {
  /** Can be opened once, within two minutes. */
  readonly address: string;
  /**
   * Opens a browser through a file, so that the code appears in no process list. Returns false if there is no display
   * or the browser cannot be started.
   */
  open(): Promise<boolean>;
}

/** A link to a page of the leader's server; null if no server answers. `page` is a path such as `/`. */
export async function pageLinkTo(project: ProjectFiles, page: string): Promise<PageLink | null> {
  for (const until = performance.now() + SERVER_TIMEOUT_MS; performance.now() < until; await pause(100)) {
    const link = await ask(project, page);
    if (link) return link;
  }
  return null;
}

async function ask(project: ProjectFiles, page: string): Promise<PageLink | null> {
  const server = await serverOf(project);
  const answer = server && (await postToServer(server, '/api/session/code'));
  if (!answer) return null;
  const { code } = (await answer.json()) as { code: string };
  return {
    address: `${server.url}${page}#code=${code}`,
    async open() {
      if (!hasScreen()) return false;
      const { href } = await writeRedirectPage(project, { url: server.url, code, page });
      return opened(href);
    },
  };
}

function opened(href: string): Promise<boolean> {
  const opener = process.env['BROWSER'] ?? (process.platform === 'darwin' ? 'open' : 'xdg-open');
  return new Promise(resolve => {
    const child = spawn(opener, [href], { stdio: 'ignore', detached: true });
    child.once('error', () => resolve(false));
    child.once('spawn', () => {
      child.unref();
      resolve(true);
    });
  });
}
