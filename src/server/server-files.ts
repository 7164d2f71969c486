/** What lies in `.dure/server/`: who serves and how to reach it. Closed to other users, for it holds the token. */
import { chmod, mkdir, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { isAlive } from '../agents/identity.ts';
import { defineFile, timestamp } from '../formats/define.ts';
import { readFormat, replace } from '../formats/file.ts';
import { identity } from '../formats/launch.ts';
import type { ProjectFiles } from '../formats/layout.ts';
import { wanted } from './ports.ts';

export const serverFiles = (project: ProjectFiles) => {
  const at = (name: string) => join(project.server, name);
  return {
    dir: project.server,
    beacon: at('server.json'),
    sessions: at('sessions.json'),
    log: at('server.log'),
    /** What a process that was started for its pages prints. */
    started: at('started.log'),
    probe: at('probe.tmp'),
    page: at('open.html'),
    term: (n: number) => at(`term-${n}.json`),
    terms: async (): Promise<number[]> =>
      (await readdir(project.server).catch(() => [] as string[]))
        .flatMap(name => /^term-(\d+)\.json$/.exec(name)?.[1] ?? [])
        .map(Number)
        .sort((a, b) => a - b),
  };
};

export const beaconFile = defineFile(
  'server/server.json',
  'The server that leads, or led last: its address, and the token for scripts.',
  z.strictObject({
    process: identity.nullable(),
    url: z.string(),
    port: z.int(),
    wanted,
    token: z.string(),
    version: z.string(),
    since: timestamp,
  }),
);
export type Beacon = z.infer<typeof beaconFile.shape>;

/** The server of this project that answers now, for commands and scripts; null when none does. */
export async function serverOf(project: ProjectFiles): Promise<Beacon | null> {
  const read = await readFormat(beaconFile, serverFiles(project).beacon);
  return read.is === 'value' && read.value.process && isAlive(read.value.process) ? read.value : null;
}

/** The one before, at whose port pages that are still open go on asking. */
export async function serverBefore(project: ProjectFiles): Promise<Beacon | null> {
  const read = await readFormat(beaconFile, serverFiles(project).beacon);
  return read.is === 'value' ? read.value : null;
}

export async function closedFolder(dir: string): Promise<void> {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  await chmod(dir, 0o700);
}

/** Replaces a file that only its owner may read. */
export async function keepSecret(file: string, content: string): Promise<void> {
  await closedFolder(dirname(file));
  await replace(file, content, 0o600);
}
export const keepSecretJson = (file: string, value: unknown): Promise<void> =>
  keepSecret(file, `${JSON.stringify(value, null, 2)}\n`);
