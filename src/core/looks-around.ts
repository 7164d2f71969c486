/** Looks at what lies around a run, one for each launch: of them the pack says what changed meanwhile. */
import { basename, join } from 'node:path';
import { z } from 'zod';
import { defineFile } from '../formats/define.ts';
import { load, replaceJson } from '../formats/file.ts';
import type { RunState } from '../formats/state.ts';
import { type Surroundings, surroundings } from '../workspace/surroundings.ts';
import type { Look } from './disturbances.ts';
import type { Site } from './site.ts';

const lookFile = defineFile(
  'sealed/around.*.json',
  "The person's uncommitted files and settings when a launch began; null when they could not be looked at.",
  z.strictObject({ around: z.record(z.string(), z.string()).nullable() }),
);
const fileOf = (site: Site, launch: number) => join(site.files.sealed, `around.${launch}.json`);

/** No agent waits for this: it is taken when one has just begun, and has not yet thought of anything. */
export const rememberLook = async (site: Site, launch: number): Promise<void> =>
  replaceJson(fileOf(site, launch), { around: await look(site) });

/** What the person's files were like at each launch, and are now. */
export async function looksAround(site: Site, s: RunState): Promise<Look[]> {
  const launches = Array.from({ length: s.launch }, (_, i) => i + 1);
  const taken = await Promise.all(
    launches.map(async launch => {
      const read = await load(lookFile, fileOf(site, launch)).catch(() => null);
      return read ? [{ launch, around: read.around }] : [];
    }),
  );
  return [...taken.flat(), { launch: s.launch + 1, around: await look(site) }];
}

const look = ({ repo, project, files }: Site): Promise<Surroundings | null> =>
  surroundings(repo, project, basename(files.dir)).catch(() => null);
