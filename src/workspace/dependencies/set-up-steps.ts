/** Splits a set-up command into the steps in which it runs, and finds those that build from the project's sources. */
import { join } from 'node:path';
import { type InstallCommand, knownCommand } from './known-install-commands.ts';
import { nodeProject, scriptsOf } from './node-project.ts';
import type { Family } from './package-manager.ts';
import type { Recognized } from './propose-set-up.ts';
import { readFolder } from './read-folder.ts';
import { compiles } from './recognize-build-commands.ts';
import type { Installation } from './run-install-commands.ts';
import { areScriptsOff, OF_ROOT } from './run-lifecycle-scripts.ts';
import { changesShell, type Part, partsOf } from './shell-words.ts';

export interface Step {
  readonly part: Part;
  /** Null for a part that runs unchanged. */
  readonly known: InstallCommand | null;
  /** The folder in which it runs: after an installation, the folder of its lockfile or manifest. */
  readonly cwd: string;
}

export async function stepsOf(
  { checkout, directory, command }: Installation,
  places: readonly Recognized[],
): Promise<Step[]> {
  const folderOf = (family: Family): string =>
    places.find(place => place.family === family)?.folder ?? directory;
  const isClassic =
    (await nodeProject(await readFolder(join(checkout, folderOf('node')))))?.tool === 'yarn-classic';
  let cwd = join(checkout, directory);
  return partsOf(command).map(part => {
    const known = part.words && knownCommand(part.words, isClassic);
    if (known) cwd = join(checkout, folderOf(known.family));
    return { part, known, cwd };
  });
}

/**
 * The steps that make files from the project's sources, including scripts that an installation calls; with changes to
 * the shell on which they depend. Empty if nothing is built.
 */
export async function buildSteps(steps: readonly Step[]): Promise<Step[]> {
  const some = await Promise.all(
    steps.map(async (step): Promise<Step[]> => {
      if (step.known) return step.known.family === 'node' ? scriptsOfInstallation(step) : [];
      return isShellChange(step) || compiles(step.part) ? [step] : [];
    }),
  );
  const builds = some.flat();
  return builds.slice(0, builds.findLastIndex(step => !isShellChange(step)) + 1);
}

/** A part that the shell would expand may do anything, so it is not repeated. */
const isShellChange = ({ part }: Step): boolean => part.words !== null && changesShell(part);

async function scriptsOfInstallation({ part, cwd }: Step): Promise<Step[]> {
  if (part.words?.includes('--ignore-scripts') || (await areScriptsOff(cwd))) return [];
  const scripts = scriptsOf((await (await readFolder(cwd)).json('package.json')) ?? {});
  return OF_ROOT.filter(name => compiles({ text: scripts[name] ?? '', words: null })).map(name => {
    const words = ['npm', 'run', name];
    return { part: { text: words.join(' '), words }, known: null, cwd };
  });
}
