/** Lists the launches that have output in the run folder, with their roles. */
import { namesIn } from '../../../formats/file-system/path-status.ts';
import type { RunFiles } from '../../../formats/layout.ts';

export async function streamsIn({ logs }: RunFiles): Promise<{ role: string; launch: number }[]> {
  return (await namesIn(logs)).flatMap(name => {
    const [, role, launch] = /^([a-z][a-z0-9-]*)\.(\d+)\.jsonl$/.exec(name) ?? [];
    return role === undefined ? [] : [{ role, launch: Number(launch) }];
  });
}

/** Returns the sorted numbers of a role's launches that have output. */
export async function launchesOf(files: RunFiles, role: string): Promise<number[]> {
  const own = (await streamsIn(files)).filter(one => one.role === role);
  return own.map(({ launch }) => launch).sort((a, b) => a - b);
}
