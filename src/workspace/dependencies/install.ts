/**
 * Makes a tree ready: runs the set-up command, in the sandbox, with the package manager's network. Parts that Dure knows
 * (see known.ts) run where the lockfile or manifest lies and use what was fetched before; all others run as they are.
 */
import { join } from 'node:path';
import { isFolder } from './copy.ts';
import type { Family } from './ecosystem.ts';
import { berryEnvironment, moduleEnvironment, pnpmEnvironment, storesIn } from './environment.ts';
import { openFolder } from './folder.ts';
import { type Known, knownCommand, withoutNpx } from './known.ts';
import { withoutNetwork } from './modules-without-network.ts';
import { runOwnScripts } from './own-scripts.ts';
import { nodeProject } from './package-json.ts';
import { installPrepared } from './prepared.ts';
import { type Recognised, recognise } from './propose.ts';
import { setUpPython } from './python.ts';
import { type Installation, type Session, withSession } from './session.ts';
import { joined, type Part, partsOf } from './shell-words.ts';
import { provideTool } from './tool.ts';
import { hideFromGit, untrackedIn } from './untracked.ts';

export type { Installation } from './session.ts';

export interface Installed {
  readonly ok: boolean;
  /** What went wrong, in one line; the log has what was printed. */
  readonly problem: string | null;
  readonly duration_ms: number;
  /** Packages came from a folder that was prepared before. */
  readonly reused: boolean;
  /** New files that git does not ignore, relative to the checkout. */
  readonly left: readonly string[];
  /** Folders with programs, for the front of PATH. */
  readonly bin: readonly string[];
  /** For tests and checks: variables that lead to what was fetched, and where that lies. */
  readonly env: Readonly<Record<string, string>>;
  readonly readable: readonly string[];
}

export async function installDependencies(installation: Installation): Promise<Installed> {
  const started = performance.now();
  const { checkout, directory, stateFolder } = installation;
  const before = await untrackedIn(checkout);
  const places = await recognise(checkout, directory, installation.env);
  return withSession(installation, async session => {
    const { problem, reused } = await runParts(session, places);
    const left = await hideFromGit(checkout, before);
    const folders = [...new Set([directory, ...places.map(place => place.folder)])];
    const bin = folders.flatMap(folder =>
      [join('node_modules', '.bin'), join('.venv', 'bin')].map(name => join(checkout, folder, name)),
    );
    const there = await Promise.all(bin.map(isFolder));
    return {
      ok: problem === null,
      problem,
      duration_ms: Math.round(performance.now() - started),
      reused,
      left,
      bin: [...bin.filter((_, i) => there[i]), ...session.programs],
      env: {
        ...moduleEnvironment(stateFolder),
        GOPROXY: 'off',
        CARGO_NET_OFFLINE: 'true',
      },
      readable: [storesIn(stateFolder), join(stateFolder, 'tools')],
    };
  });
}

interface Outcome {
  readonly problem: string | null;
  readonly reused: boolean;
}

async function runParts(session: Session, places: readonly Recognised[]): Promise<Outcome> {
  const { checkout, directory, command } = session.installation;
  const folderOf = (family: Family): string =>
    places.find(place => place.family === family)?.folder ?? directory;
  const isClassic =
    (await nodeProject(await openFolder(join(checkout, folderOf('node')))))?.tool === 'yarn-classic';
  const knownIn = ({ words }: Part): Known | null => words && knownCommand(words, isClassic);
  const parts = partsOf(command);
  let cwd = join(checkout, directory);
  let reused = false;
  for (let at = 0; at < parts.length; at++) {
    const known = knownIn(parts[at]!);
    if (!known) {
      const rest = parts.slice(at);
      const provided = await withProvidedTool(session, parts[at]!);
      if (provided.problem !== null) return { problem: provided.problem, reused };
      // What changes the shell itself holds for all that follows.
      const text = changesShell(parts[at]!) ? rest.map(part => part.text).join(' && ') : provided.text;
      session.say(`$ ${text}`);
      const problem = await session.fetch(text, cwd, {
        env: berryEnvironment(session.installation.stateFolder),
      });
      if (problem !== null || changesShell(parts[at]!))
        return { problem: problem && `${text}: ${problem}`, reused };
      continue;
    }
    cwd = join(checkout, folderOf(known.family));
    if (known.family === 'python') {
      const end = parts.findIndex((part, i) => i > at && knownIn(part)?.family !== 'python');
      const commands = parts
        .slice(at, end < 0 ? parts.length : end)
        .map(({ text, words }) => ({ text, words: words ?? [] }));
      const done = await setUpPython(session, cwd, commands);
      reused ||= done.reused;
      if (done.problem !== null) return { problem: done.problem, reused };
      at += commands.length - 1;
      continue;
    }
    const outcome = await runKnown(session, known, cwd);
    reused ||= outcome.reused;
    if (outcome.problem !== null) return { problem: `${parts[at]!.text}: ${outcome.problem}`, reused };
  }
  return { problem: null, reused };
}

const changesShell = ({ words }: Part): boolean =>
  words === null ||
  /^(cd|pushd|popd|export|source|\.|set|unset|alias|eval|ulimit|umask|trap)$/.test(words[0]!) ||
  (words[0]!.includes('=') && words.length === 1);

async function runKnown(session: Session, known: Known, cwd: string): Promise<Outcome> {
  const missing = known.tool === null ? null : await provideTool(session, known.tool);
  if (missing !== null) return { problem: missing, reused: false };
  const command = joined(known.words);
  session.say(`$ ${command}`);
  if (known.isPrepared && !(await isFolder(join(cwd, 'node_modules')))) {
    const { problem, reused } = await installPrepared(session, cwd, command);
    if (problem === null) {
      session.say(
        reused ? 'The packages were prepared before.' : 'The packages are prepared for later set-ups too.',
      );
      return { problem: await runOwnScripts(session, cwd, known.words), reused };
    }
    session.say(`${problem}, from the lockfile and manifests alone. Now in the tree itself:`);
  }
  const problem = await session.fetch(command, cwd, { env: toolEnvironment(session, command) });
  return { problem: problem && (await withoutNetwork(session, known, cwd, problem)), reused: false };
}

/** `npx --yes pnpm@9 run build` runs the pnpm that the installation fetched. */
async function withProvidedTool(
  session: Session,
  { text, words }: Part,
): Promise<{ text: string; problem: string | null }> {
  const { tool, rest } = withoutNpx(words ?? []);
  if (tool === null) return { text, problem: null };
  return { text: joined(rest), problem: await provideTool(session, tool) };
}

/** npm warns of variables that only pnpm knows. */
const toolEnvironment = (
  { installation: { stateFolder } }: Session,
  command: string,
): Record<string, string> => ({
  ...berryEnvironment(stateFolder),
  ...(/\bpnpm\b/.test(command) && pnpmEnvironment(stateFolder)),
});
