/**
 * Leader election. One of the processes that want to serve a project leads; if it ends for any reason, another takes
 * over within a second. Terms are numbered files, written atomically and never removed while they are the newest:
 * whoever creates the next one leads, and only one process can. A term ends with its process, or when its process
 * resigns.
 */
import { statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { type Identity, identity } from '../formats/launch.ts';
import type { ProjectFiles } from '../formats/layout.ts';
import { create, readFormat } from '../formats/read-and-write-files.ts';
import { defineFile } from '../formats/schema/define-file.ts';
import { isAlive, ownIdentity } from '../process/identity.ts';
import { closedFolder, keepSecretJson, serverFiles } from '../server/server-files.ts';

const POLL_MS = 250;

const termFile = defineFile(
  'server/term-*.json',
  'A term as leader of the project: the process that leads, or null if the term has ended.',
  z.strictObject({
    process: identity.nullable(),
    idle: z.literal(true).optional().describe('the term ended because the leader had nothing to do'),
  }),
);

export interface Leadership {
  /** Called once when this process becomes leader. Whatever it returns is closed before another process may lead. */
  begin(): Promise<{ close(): Promise<void> }>;
  /** Called once for each leader for which this process stands by. */
  standBy?(leader: Identity): void;
  /** Called when the leader left because it was idle. Returns whether this process should leave as well. */
  shouldLeaveToo?(): Promise<boolean>;
}

export interface Election {
  /** Resolves with true once this process leads, or with false if it left before it could lead. */
  readonly leads: Promise<boolean>;
  /** Stops leading or standing by. `idle`: the reason is that there is nothing to do. */
  leave(why?: 'idle' | 'asked'): Promise<void>;
}

export function joinElection(project: ProjectFiles, leadership: Leadership): Election {
  const files = serverFiles(project);
  const leaving = new AbortController();
  let term: number | null = null;
  let active: { close(): Promise<void> } | null = null;

  const campaign = async (): Promise<boolean> => {
    await closedFolder(files.dir);
    let lastHolder: string | null = null;
    while (!leaving.signal.aborted) {
      const { newest, holder, idle } = await currentLeader(files);
      if (!holder) {
        if (idle && lastHolder !== null && (await leadership.shouldLeaveToo?.())) return false;
        if (await tryElect(files, newest + 1)) {
          term = newest + 1;
          active = await leadership.begin();
          return true;
        }
        continue;
      }
      if (lastHolder !== JSON.stringify(holder)) {
        lastHolder = JSON.stringify(holder);
        leadership.standBy?.(holder);
      }
      await whileLeading(holder, files, leaving.signal);
    }
    return false;
  };
  const resign = async (why: 'idle' | 'asked') => {
    const record = { process: null, ...(why === 'idle' && { idle: true }) };
    if (term !== null) await keepSecretJson(files.term(term), record);
    term = null;
  };
  const leads = campaign().catch(async error => {
    await resign('asked');
    throw error;
  });

  return {
    leads,
    async leave(why = 'asked') {
      leaving.abort();
      await leads.catch(() => {});
      await active?.close();
      active = null;
      await resign(why);
    },
  };
}

type Files = ReturnType<typeof serverFiles>;

/** Returns the current leader, for commands; null if there is none. */
export const leaderOf = async (project: ProjectFiles): Promise<Identity | null> =>
  (await currentLeader(serverFiles(project))).holder;

/** Waits until the leader has ended or the folder changes. Most checks cost at most two system calls. */
async function whileLeading(leader: Identity, files: Files, signal: AbortSignal): Promise<void> {
  const time = () => statSync(files.dir, { throwIfNoEntry: false })?.mtimeMs;
  for (const before = time(); ; ) {
    await pause(POLL_MS, undefined, { signal }).catch(() => {});
    if (signal.aborted || !isAlive(leader) || time() !== before) return;
  }
}

interface CurrentLeader {
  readonly newest: number;
  readonly holder: Identity | null;
  /** Whether the last leader left because it was idle. */
  readonly idle: boolean;
}

async function currentLeader(files: Files): Promise<CurrentLeader> {
  const newest = (await files.terms()).at(-1) ?? 0;
  if (newest === 0) return { newest, holder: null, idle: false };
  const read = await readFormat(termFile, files.term(newest));
  const { process: holder = null, idle = false } = read.is === 'value' ? read.value : {};
  return { newest, holder: holder && isAlive(holder) ? holder : null, idle };
}

/**
 * The file of a term appears with its content or not at all, and only one process can create it. The leader removes old
 * terms. If a process is so late that the file with its number is already gone, it creates the file again, but then
 * finds a newer term and withdraws its own.
 */
async function tryElect(files: Files, n: number): Promise<boolean> {
  if (!(await create(files.term(n), JSON.stringify({ process: ownIdentity() }), 0o600))) return false;
  const terms = await files.terms();
  if (terms.at(-1) !== n) {
    await rm(files.term(n), { force: true });
    return false;
  }
  for (const old of terms.slice(0, -1)) await rm(files.term(old), { force: true });
  return true;
}
