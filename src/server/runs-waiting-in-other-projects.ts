/**
 * Counts the runs that wait for the user in the user's other projects. `dure inbox` lists the same runs. Read-only.
 */
import { basename } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { commandFor, inProject } from '../core/policy/command-for-user.ts';
import { usedProjects } from '../core/run/seen-commands-and-used-projects.ts';
import { exists } from '../formats/file-system/path-status.ts';
import { type ProjectFiles, projectFiles } from '../formats/layout.ts';
import type { OtherProject } from './http-protocol.ts';
import { type RunIndex, runIndex } from './runs/run-index.ts';
import { serverOf } from './server-files.ts';

/**
 * Each call of the returned function reads only what has changed since the previous call. The project with the longest
 * wait comes first.
 */
export function otherProjects({ root: here }: ProjectFiles): () => Promise<OtherProject[]> {
  const indexes = new Map<string, RunIndex>();
  const asked = new Set<string>();
  /**
   * Returns false if the project has no configuration, or if its file system does not respond: reading its runs would
   * then block the server.
   */
  const isThere = async ({ config }: ProjectFiles): Promise<boolean> => {
    if (asked.has(config)) return false;
    asked.add(config);
    const found = exists(config);
    void found.finally(() => asked.delete(config));
    return Promise.race([found, pause(ANSWER_MS, false, { ref: false })]);
  };
  const look = async (root: string): Promise<OtherProject | null> => {
    const project = projectFiles(root);
    if (!(await isThere(project))) return null;
    const index = indexes.get(root) ?? runIndex(project);
    indexes.set(root, index);
    return waitingIn(project, index);
  };
  return async () => {
    const roots = (await usedProjects()).filter(root => root !== here);
    const found = await Promise.all(roots.map(root => look(root).catch(() => null)));
    return found.flatMap(one => one ?? []).sort((a, b) => (a.since < b.since ? -1 : 1));
  };
}

const ANSWER_MS = 1000;

async function waitingIn(project: ProjectFiles, index: RunIndex): Promise<OtherProject | null> {
  await index.refresh();
  const waits = index
    .all()
    .filter(({ row, timeout_noticed }) => commandFor({ ...row, timeout_noticed }) !== null)
    .map(({ row }) => row.updated_at)
    .sort();
  const [since] = waits;
  if (since === undefined) return null;
  const server = await serverOf(project);
  return {
    name: basename(project.root),
    root: project.root,
    waiting: waits.length,
    since,
    // Only the port is taken from that project's server.json, not the URL.
    url: server ? `http://127.0.0.1:${server.port}/` : null,
    command: inProject('dure pages', project.root),
  };
}
