/**
 * Who leads. Many processes may want to serve a project; one does, and another takes its place within a second when
 * it ends, however it ends. Terms are numbered files that are made whole and never unmade while they are the newest:
 * whoever makes the next one leads, and only one can make it. A term ends with its process, or by its own word.
 */
import { randomBytes } from 'node:crypto';
import { statSync } from 'node:fs';
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
  z.strictObject({
    process: identity.nullable(),
    idle: z.literal(true).optional().describe('it ended because there was nothing to do'),
  }),
);

export interface Office {
  /** Called once, when this process leads. What it returns is closed before another may lead. */
  begin(): Promise<{ close(): Promise<void> }>;
  /** Called once for every leader this process stands by for. */
  standBy?(leader: Identity): void;
  /** Asked when the leader this process stood by for had nothing to do and left: whether it leaves as well. */
  leavesToo?(): Promise<boolean>;
}

export interface Candidacy {
  /** Resolves with true when this process leads and has begun, with false when it left before that. */
  readonly leads: Promise<boolean>;
  /** Ends leading or standing by. `idle`: because there is nothing to do. */
  leave(why?: 'idle' | 'asked'): Promise<void>;
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
      const { newest, holder, idle } = await incumbent(files);
      if (!holder) {
        if (idle && known !== null && (await office.leavesToo?.())) return false;
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
      await whileLeading(holder, files, left.signal);
    }
    return false;
  };
  const resign = async (why: 'idle' | 'asked') => {
    const record = { process: null, ...(why === 'idle' && { idle: true }) };
    if (term !== null) await keepSecretJson(files.term(term), record);
    term = null;
  };
  const leads = stand().catch(async error => {
    await resign('asked');
    throw error;
  });

  return {
    leads,
    async leave(why = 'asked') {
      left.abort();
      await leads.catch(() => {});
      await begun?.close();
      begun = null;
      await resign(why);
    },
  };
}

type Files = ReturnType<typeof serverFiles>;

/** Who leads now, for commands: null when nobody does. */
export const leaderOf = async (project: ProjectFiles): Promise<Identity | null> =>
  (await incumbent(serverFiles(project))).holder;

/** Waits until the leader is gone or something has changed in the folder. Most looks cost no more than two system calls. */
async function whileLeading(leader: Identity, files: Files, signal: AbortSignal): Promise<void> {
  const time = () => statSync(files.dir, { throwIfNoEntry: false })?.mtimeMs;
  for (const before = time(); ; ) {
    await pause(LOOK_MS, undefined, { signal }).catch(() => {});
    if (signal.aborted || !isAlive(leader) || time() !== before) return;
  }
}

interface Incumbent {
  readonly newest: number;
  readonly holder: Identity | null;
  /** The last one left because there was nothing to do. */
  readonly idle: boolean;
}

async function incumbent(files: Files): Promise<Incumbent> {
  const newest = (await files.terms()).at(-1) ?? 0;
  if (newest === 0) return { newest, holder: null, idle: false };
  const read = await readFormat(termFile, files.term(newest));
  const { process: holder = null, idle = false } = read.is === 'value' ? read.value : {};
  return { newest, holder: holder && isAlive(holder) ? holder : null, idle };
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
