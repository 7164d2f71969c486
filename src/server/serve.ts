/**
 * Who leads. Many processes may want to serve a project; one does, and another takes its place within a second when
 * it ends, however it ends. Terms are numbered files that are made whole and never unmade while they are the newest:
 * whoever makes the next one leads, and only one can make it. A term ends with its process, or by its own word.
 */
import { randomBytes } from 'node:crypto';
import { link, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { isAlive, ownIdentity } from '../agents/identity.ts';
import { defineFile } from '../formats/define.ts';
import { readFormat } from '../formats/file.ts';
import { type Identity, identity } from '../formats/launch.ts';
import type { ProjectFiles } from '../formats/layout.ts';
import { closedFolder, keepSecret, keepSecretJson, serverFiles } from './server-files.ts';

const LOOK_MS = 250;

const termFile = defineFile(
  'server/term-*.json',
  'A term of leading the project: the process whose it is, or null when it has ended.',
  z.strictObject({ process: identity.nullable() }),
);

export interface Office {
  /** Called once, when this process leads. What it returns is closed before another may lead. */
  begin(): Promise<{ close(): Promise<void> }>;
  /** Called once for every leader this process stands by for. */
  standBy?(leader: Identity): void;
}

export interface Candidacy {
  /** Resolves with true when this process leads and has begun, with false when it left before that. */
  readonly leads: Promise<boolean>;
  /** Ends leading or standing by. */
  leave(): Promise<void>;
}

export function lead(project: ProjectFiles, office: Office): Candidacy {
  const files = serverFiles(project);
  const left = new AbortController();
  let term: number | null = null;
  let begun: { close(): Promise<void> } | null = null;

  const stand = async (): Promise<boolean> => {
    await closedFolder(files.dir);
    let known: string | null = null;
    while (!left.signal.aborted) {
      const { newest, holder } = await incumbent(files);
      if (!holder) {
        if (await elected(files, newest + 1)) {
          term = newest + 1;
          begun = await office.begin();
          return true;
        }
        continue;
      }
      if (known !== JSON.stringify(holder)) {
        known = JSON.stringify(holder);
        office.standBy?.(holder);
      }
      await pause(LOOK_MS, undefined, { signal: left.signal }).catch(() => {});
    }
    return false;
  };
  const resign = async () => {
    if (term !== null) await keepSecretJson(files.term(term), { process: null });
    term = null;
  };
  const leads = stand().catch(async error => {
    await resign();
    throw error;
  });

  return {
    leads,
    async leave() {
      left.abort();
      await leads.catch(() => {});
      await begun?.close();
      begun = null;
      await resign();
    },
  };
}

type Files = ReturnType<typeof serverFiles>;

/** Who leads now, for commands: null when nobody does. */
export const leaderOf = async (project: ProjectFiles): Promise<Identity | null> =>
  (await incumbent(serverFiles(project))).holder;

async function incumbent(files: Files): Promise<{ newest: number; holder: Identity | null }> {
  const newest = (await files.terms()).at(-1) ?? 0;
  if (newest === 0) return { newest, holder: null };
  const read = await readFormat(termFile, files.term(newest));
  const holder = read.is === 'value' ? read.value.process : null;
  return { newest, holder: holder && isAlive(holder) ? holder : null };
}

/**
 * A link is made with its content or not at all, and fails when somebody was first. Old terms are swept by who leads;
 * one that comes so late that its number was swept finds a newer one and gives its own up again.
 */
async function elected(files: Files, n: number): Promise<boolean> {
  const paper = join(files.dir, `paper-${randomBytes(6).toString('hex')}.tmp`);
  await writeFile(paper, JSON.stringify({ process: ownIdentity() }), { mode: 0o600 });
  try {
    await link(paper, files.term(n));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(paper, { force: true });
  }
  const terms = await files.terms();
  if (terms.at(-1) !== n) {
    await rm(files.term(n), { force: true });
    return false;
  }
  for (const old of terms.slice(0, -1)) await rm(files.term(old), { force: true });
  return true;
}

/**
 * A page on disk that leads the browser to the server with its one-time code: what is given to the browser is the name
 * of this file, so that neither `ps` nor a shell's history ever shows the code.
 */
export async function writeDoor(
  project: ProjectFiles,
  to: { url: string; code: string; page?: string },
): Promise<{ file: string; href: string }> {
  const { page } = serverFiles(project);
  const target = JSON.stringify(`${to.url}${to.page ?? '/'}#code=${to.code}`).replaceAll('<', '\\u003c');
  const html = `<!doctype html>\n<meta charset="utf-8">\n<meta name="referrer" content="no-referrer">\n<title>Dure</title>\n<script>location.replace(${target})</script>\n`;
  await keepSecret(page, html);
  return { file: page, href: pathToFileURL(page).href };
}
