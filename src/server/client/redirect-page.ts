/**
 * A local page that redirects the browser to the server with the one-time code. The browser is started with the name
 * of this file, so the code never appears in `ps` or a shell's history.
 */
import { pathToFileURL } from 'node:url';
import type { ProjectFiles } from '../../formats/layout.ts';
import { keepSecret, serverFiles } from '../server-files.ts';

export async function writeRedirectPage(
  project: ProjectFiles,
  to: { url: string; code: string; page?: string },
): Promise<{ file: string; href: string }> {
  const { page } = serverFiles(project);
  const target = JSON.stringify(`${to.url}${to.page ?? '/'}#code=${to.code}`).replaceAll('<', '\\u003c');
  const html = `<!doctype html>\n<meta charset="utf-8">\n<meta name="referrer" content="no-referrer">\n<title>Dure</title>\n<script>location.replace(${target})</script>\n`;
  await keepSecret(page, html);
  return { file: page, href: pathToFileURL(page).href };
}
