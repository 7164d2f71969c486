/** Splits a set-up command into its parts, and finds those that build from the project's sources. */
import { join } from 'node:path';
import { changesShell, type Part, partsOf } from '../../formats/text/shell-words.ts';
import { readFolder } from './folder-reader.ts';
import { nodeProject } from './node/node-project.ts';
import { lifecycleScripts } from './node/run-project-install-scripts.ts';
import type { Family } from './package-manager-interface.ts';
import type { Recognized } from './propose-set-up.ts';
import { compiles } from './recognize-build-commands.ts';
import { type InstallCommand, installCommandOf } from './recognize-install-commands.ts';
import type { Installation } from './sandboxed-install-session.ts';

export interface SetupPart {
  readonly command: Part;
  /** Null for a command that runs unchanged. */
  readonly known: InstallCommand | null;
  /** Where the command runs: an installation and all later commands run in the folder of its lockfile or manifest. */
  readonly cwd: string;
}

export async function setupPartsOf(
  installation: Installation,
  places: readonly Recognized[],
): Promise<SetupPart[]> {
  const { checkout, directory } = installation;
  const folderOf = (family: Family): string =>
    places.find(place => place.family === family)?.folder ?? directory;
  const isClassic =
    (await nodeProject(await readFolder(join(checkout, folderOf('node')))))?.tool === 'yarn-classic';
  let cwd = join(checkout, directory);
  return partsOf(installation.command).map(command => {
    const known = command.words && installCommandOf(command.words, isClassic);
    if (known) cwd = join(checkout, folderOf(known.family));
    return { command, known, cwd };
  });
}

/**
 * Returns the parts that generate files from the project's sources, including scripts that an installation calls, and
 * the parts that change the shell for them. Empty if nothing is built.
 */
export async function buildParts(parts: readonly SetupPart[]): Promise<SetupPart[]> {
  const some = await Promise.all(
    parts.map(async (part): Promise<SetupPart[]> => {
      if (part.known) return part.known.family === 'node' ? scriptsOfInstallation(part) : [];
      return isShellChange(part) || compiles(part.command) ? [part] : [];
    }),
  );
  const builds = some.flat();
  return builds.slice(0, builds.findLastIndex(part => !isShellChange(part)) + 1);
}

/** Whether a part changes the shell. A part that the shell would expand does not count, as it might do anything. */
const isShellChange = ({ command }: SetupPart): boolean => command.words !== null && changesShell(command);

async function scriptsOfInstallation({ command, cwd }: SetupPart): Promise<SetupPart[]> {
  const scripts = await lifecycleScripts(cwd, command.words ?? []);
  return scripts
    .filter(({ text }) => compiles({ text, words: null }))
    .map(({ name, cwd }) => {
      const words = ['npm', 'run', name];
      return { command: { text: words.join(' '), words }, known: null, cwd };
    });
}
