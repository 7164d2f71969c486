/** Prepares to open a page in a browser: writes a file that redirects to the page, and checks for a display. */

import { pathToFileURL } from 'node:url';
import type { ProjectFiles } from '../../formats/layout.ts';
import { keepSecret, serverFiles } from '../server-files.ts';

/**
 * Writes a local page that redirects the browser to the server with the one-time code. The browser is started with the
 * name of this file, so the code never appears in `ps` or a shell's history.
 */
export async function writeRedirectPage(
  project: ProjectFiles,
  { url, code, page }: { url: string; code: string; page: string },
): Promise<{ file: string; href: string }> {
  const file = serverFiles(project).page;
  const target = JSON.stringify(`${url}${page}#code=${code}`).replaceAll('<', '\\u003c');
  const html = `<!doctype html>\n<meta charset="utf-8">\n<meta name="referrer" content="no-referrer">\n<title>Dure</title>\n<script>location.replace(${target})</script>\n`;
  await keepSecret(file, html);
  return { file, href: pathToFileURL(file).href };
}

/** Whether this machine can show a browser window. */
export const hasScreen = (): boolean => {
  const { CI, DISPLAY, WAYLAND_DISPLAY, BROWSER } = process.env;
  if (CI) return false;
  return process.platform === 'darwin' || Boolean(BROWSER || DISPLAY || WAYLAND_DISPLAY);
};
