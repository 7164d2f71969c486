/** The files in `.dure/server/`, such as the server's address and token. Only their owner can read them. */
import { chmod, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { namesIn } from '../formats/file-system/path-status.ts';
import { identity } from '../formats/launch.ts';
import type { ProjectFiles } from '../formats/layout.ts';
import { readFormat, replace } from '../formats/read-and-write-files.ts';
import { timestamp } from '../formats/schema/common-fields.ts';
import { defineFile } from '../formats/schema/define-file.ts';
import { jsonText } from '../formats/schema/strict-json.ts';
import { isAlive } from '../process/identity.ts';
import { requestedPorts } from './listen-on-free-port.ts';

export const serverFiles = (project: ProjectFiles) => {
  const at = (name: string) => join(project.server, name);
  return {
    dir: project.server,
    beacon: at('server.json'),
    sessions: at('sessions.json'),
    log: at('server.log'),
    /** Output of a server process that was started in the background. */
    started: at('started.log'),
    probe: at('probe.tmp'),
    page: at('open.html'),
    term: (n: number) => at(`term-${n}.json`),
    terms: async (): Promise<number[]> =>
      (await namesIn(project.server))
        .flatMap(name => /^term-(\d+)\.json$/.exec(name)?.[1] ?? [])
        .map(Number)
        .sort((a, b) => a - b),
  };
};

const serverInfoFile = defineFile(
  'server/server.json',
  'The current or last leader: its address, and the token for scripts.',
  z.strictObject({
    process: identity.nullable(),
    url: z.string(),
    port: z.int(),
    wanted: requestedPorts,
    token: z.string(),
    version: z.string(),
    since: timestamp,
  }),
);
export type ServerInfo = z.infer<typeof serverInfoFile.shape>;

/** The running server of this project; null if there is none. */
export async function serverOf(project: ProjectFiles): Promise<ServerInfo | null> {
  const last = await serverBefore(project);
  return last?.process && isAlive(last.process) ? last : null;
}

/** The running server or, if none is running, the last one. Open pages still try to reconnect to its port. */
export async function serverBefore(project: ProjectFiles): Promise<ServerInfo | null> {
  const read = await readFormat(serverInfoFile, serverFiles(project).beacon);
  return read.is === 'value' ? read.value : null;
}

export async function closedFolder(dir: string): Promise<void> {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  await chmod(dir, 0o700);
}

/** Replaces a file and makes it readable only by its owner. */
export async function keepSecret(file: string, content: string): Promise<void> {
  await closedFolder(dirname(file));
  await replace(file, content, 0o600);
}
export const keepSecretJson = (file: string, value: unknown): Promise<void> =>
  keepSecret(file, jsonText(value));
