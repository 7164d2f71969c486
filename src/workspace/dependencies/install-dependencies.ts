/**
 * Sets up a tree: runs the set-up command in the sandbox, with network access. Known parts of the command (see
 * recognize-install-commands.ts) run in the folder of the lockfile or manifest and reuse prepared packages; all others
 * run unchanged.
 */
import { join, relative } from 'node:path';
import { leadsOutside } from '../../formats/file-system/path-containment.ts';
import { isFolder } from '../../formats/file-system/path-status.ts';
import { changesShell, joinedByAnd, joinWords, type Part } from '../../formats/text/shell-words.ts';
import { limitStateFolder, touch } from '../prune-state-folder.ts';
import { withoutNetwork } from './fall-back-to-go-and-cargo-caches.ts';
import { readFolder } from './folder-reader.ts';
import {
  berryEnvironment,
  managerVariables,
  moduleEnvironment,
  pnpmEnvironment,
  storesIn,
  storesOf,
} from './install-environment.ts';
import { keepOutOfResults, untrackedIn } from './keep-installed-files-out-of-results.ts';
import { provideTool, provideYarn } from './node/install-package-manager.ts';
import { runLifecycleScripts } from './node/run-project-install-scripts.ts';
import { committedYarnRelease } from './node/yarn-wrapper-script.ts';
import { installPrepared } from './prepare-and-copy-packages.ts';
import { recognize } from './propose-set-up.ts';
import { setUpPython } from './python/run-python-set-up.ts';
import { isBuild } from './recognize-build-commands.ts';
import { type InstallCommand, withoutNpx } from './recognize-install-commands.ts';
import { type Installation, type InstallSession, withInstallSession } from './sandboxed-install-session.ts';
import { buildParts, type SetupPart, setupPartsOf } from './set-up-parts.ts';

export type { Installation } from './sandboxed-install-session.ts';

export interface InstallResult {
  /** The failure in one line; null if there is none. The output is in the log. */
  readonly problem: string | null;
  /** The failed builds of the set-up command. Empty if anything else failed. */
  readonly failedBuilds: string[];
  /** Requirements that are not installed, because they are not available. */
  readonly missing: readonly string[];
  /** New files that git does not ignore, relative to the checkout. */
  readonly left: readonly string[];
  /** Folders of executables to prepend to PATH. */
  readonly bin: readonly string[];
  /** `env` points tests and checks to the caches; `readable` lists the folders that they must be able to read. */
  readonly env: Readonly<Record<string, string>>;
  readonly readable: readonly string[];
}

export async function installDependencies(installation: Installation): Promise<InstallResult> {
  const { checkout, directory, stateFolder } = installation;
  const before = await untrackedIn(checkout);
  const places = await recognize(checkout, directory, readFolder, installation.env);
  return withInstallSession(installation, async session => {
    const outcome = await runParts(session, await setupPartsOf(installation, places));
    const left = await keepOutOfResults(checkout, before);
    await touch(places.flatMap(({ family }) => storesOf(family, stateFolder)));
    await limitStateFolder(stateFolder);
    const folders = [...new Set([directory, ...places.map(place => place.folder)])];
    const bin = folders.flatMap(folder =>
      [join('node_modules', '.bin'), join('.venv', 'bin')].map(name => join(checkout, folder, name)),
    );
    const there = await Promise.all(bin.map(isFolder));
    return {
      ...outcome,
      left,
      bin: [...bin.filter((_, i) => there[i]), ...session.programs],
      env: {
        ...moduleEnvironment(stateFolder),
        ...managerVariables(installation.command),
        GOPROXY: 'off',
        CARGO_NET_OFFLINE: 'true',
      },
      readable: [storesIn(stateFolder), join(stateFolder, 'tools'), ...session.sources],
    };
  });
}

/**
 * Returns a function that repeats the builds of the set-up after the sources have changed, and that returns the
 * problem, if any. Returns null if the set-up builds nothing.
 */
export async function rebuilding(
  installation: Installation,
): Promise<((signal: AbortSignal) => Promise<string | null>) | null> {
  const { checkout, directory, env } = installation;
  const places = await recognize(checkout, directory, readFolder, env);
  const command = joinedByAnd(installation.command);
  const parts = await setupPartsOf({ ...installation, command }, places);
  const builds = await buildParts(parts);
  if (builds.length === 0) return null;
  return signal =>
    withInstallSession({ ...installation, signal }, async session => {
      for (const { known } of parts) {
        const missing = known && (await provideManager(session, known));
        if (missing !== null) return missing;
      }
      return (await runParts(session, builds)).problem;
    });
}

type Outcome = Pick<InstallResult, 'problem' | 'failedBuilds' | 'missing'>;

const failure = (problem: string): Outcome => ({ problem, failedBuilds: [], missing: [] });

async function runParts(session: InstallSession, parts: readonly SetupPart[]): Promise<Outcome> {
  const { checkout, stateFolder } = session.installation;
  const missing: string[] = [];
  const failed: { readonly text: string; readonly problem: string }[] = [];
  for (let at = 0; at < parts.length; at++) {
    const { command, known, cwd } = parts[at]!;
    // The path may contain a link, from the tree or from an earlier part of the set-up.
    if (leadsOutside(checkout, cwd)) return failure(`${relative(checkout, cwd)} is outside the tree`);
    if (known?.family === 'python') {
      const end = parts.findIndex((part, i) => i > at && part.known?.family !== 'python');
      const commands = parts.slice(at, end < 0 ? parts.length : end).map(part => part.command);
      const done = await setUpPython(session, cwd, commands);
      missing.push(...done.missing);
      if (done.problem !== null) return failure(done.problem);
      at += commands.length - 1;
    } else if (known) {
      const problem = await runKnown(session, known, cwd);
      if (problem !== null) return failure(`${command.text}: ${problem}`);
    } else {
      const provided = await withProvidedTool(session, command);
      if (provided.problem !== null) return failure(provided.problem);
      // A command that changes the shell affects all later ones, so they run in the same shell.
      const isLast = changesShell(command);
      const rest = parts.slice(at).map(part => part.command.text);
      const text = isLast ? rest.join(' && ') : provided.text;
      session.log(`$ ${text}`);
      const problem = await session.fetch(text, cwd, { env: berryEnvironment(stateFolder) });
      if (problem !== null && !isBuild(command)) return failure(`${text}: ${problem}`);
      if (problem !== null) failed.push({ text: command.text, problem: `${text}: ${problem}` });
      if (isLast) break;
    }
  }
  return {
    problem: failed[0]?.problem ?? null,
    failedBuilds: failed.map(({ text }) => text),
    missing,
  };
}

/** Returns null on success, otherwise the problem. */
async function runKnown(session: InstallSession, known: InstallCommand, cwd: string): Promise<string | null> {
  const missing = await provideManager(session, known);
  if (missing !== null) return missing;
  const command = joinWords(known.words);
  session.log(`$ ${command}`);
  if (known.isPrepared && !(await isFolder(join(cwd, 'node_modules')))) {
    const { problem, reused } = await installPrepared(session, cwd, command);
    if (problem === null) {
      session.log(reused ? 'Reused prepared packages.' : 'Prepared the packages; later set-ups reuse them.');
      return runLifecycleScripts(session, cwd, known.words);
    }
    session.log(`${problem} (with only the lockfile and manifests). Installing in the tree itself:`);
  }
  const problem = await session.fetch(command, cwd, { env: toolEnvironment(session, command) });
  return problem && withoutNetwork(session, known, cwd, problem);
}

async function provideManager(
  session: InstallSession,
  { tool, words }: InstallCommand,
): Promise<string | null> {
  const missing = tool === null ? null : await provideTool(session, tool);
  if (missing !== null) return missing;
  const release = committedYarnRelease(words);
  if (release !== null) await provideYarn(session, release);
  return null;
}

/** Removes npx, so that `npx --yes pnpm@9 run build` runs the pnpm that Dure has installed. */
async function withProvidedTool(
  session: InstallSession,
  { text, words }: Part,
): Promise<{ text: string; problem: string | null }> {
  const { tool, rest } = withoutNpx(words ?? []);
  if (tool === null) return { text, problem: null };
  return { text: joinWords(rest), problem: await provideTool(session, tool) };
}

/** pnpm's variables are set only for pnpm, because npm warns about them. */
const toolEnvironment = (
  { installation: { stateFolder } }: InstallSession,
  command: string,
): Record<string, string> => ({
  ...berryEnvironment(stateFolder),
  ...(/\bpnpm\b/.test(command) && pnpmEnvironment(stateFolder)),
});
