/**
 * Runs Python set-ups in the form that `init` proposes: a virtual environment in the tree, filled by pip.
 * Requirements are prepared once from manifests alone; the project itself is installed in editable mode in
 * each tree, so that tests always import this tree's sources. Other commands run unchanged, except that they do not
 * install a copy of the project if an editable installation works.
 */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isFolder, namesIn } from '../../../formats/file-system/path-status.ts';
import { unlessDiskFails } from '../../../formats/file-system/temporary-disk-errors.ts';
import { joinWords, type Part, quoteWord } from '../../../formats/text/shell-words.ts';
import type { Input } from '../installation-inputs.ts';
import { copyInto, copyPrepared } from '../prepare-and-copy-packages.ts';
import { printedBy } from '../programs-on-path.ts';
import type { InstallSession } from '../sandboxed-install-session.ts';
import { asEditable, type PipRequest, pipRequest } from './parse-pip-commands.ts';
import { addProject, installRequirements } from './venv-creation-scripts.ts';

interface Outcome {
  readonly problem: string | null;
  /** Requirements that neither the package indexes nor this machine provides. The others are installed. */
  readonly missing: readonly string[];
}

/** Runs the commands in order in `folder`. */
export async function setUpPython(
  session: InstallSession,
  folder: string,
  commands: readonly Part[],
): Promise<Outcome> {
  const request = pipRequest(commands.map(({ words }) => words ?? []));
  if (request && !(await isFolder(join(folder, '.venv'))))
    return fromRequest(session, folder, request, commands);
  return { problem: await runOther(session, folder, commands), missing: [] };
}

async function runOther(
  session: InstallSession,
  folder: string,
  commands: readonly Part[],
): Promise<string | null> {
  for (const { text, words } of commands) {
    const editable = asEditable(words ?? []);
    if (editable !== null && (await run(session, folder, joinWords(editable))) === null) continue;
    const problem = await run(session, folder, text);
    if (problem !== null) return `${text}: ${problem}`;
  }
  return null;
}

function run(session: InstallSession, folder: string, text: string): Promise<string | null> {
  session.log(`$ ${text}`);
  return session.fetch(text, folder);
}

async function fromRequest(
  session: InstallSession,
  folder: string,
  request: PipRequest,
  commands: readonly Part[],
): Promise<Outcome> {
  session.log(commands.map(({ text }) => `$ ${text}`).join('\n'));
  let madeIn = '';
  const { problem, reused, missing } = await copyPrepared(session, {
    kind: 'python',
    key: [installRequirements(request), await versionOf(session)],
    inputs: await manifestsOf(folder),
    install: making => session.fetch(installRequirements(request), making, { writable: [making] }),
    async copyToTree(prepared) {
      madeIn = await readFile(join(prepared, '.venv', 'made-in.txt'), 'utf8');
      await copyInto(join(prepared, '.venv'), join(folder, '.venv'), session.installation.signal);
    },
    partial: '.venv/partial.json',
  });
  if (problem !== null) return { problem: `${commands.at(-1)!.text}: ${problem}`, missing };
  session.log(
    reused ? 'Reused prepared requirements.' : 'Prepared the requirements; later set-ups reuse them.',
  );
  if (missing.length > 0) session.log(`Not available: ${missing.join(', ')}`);
  const added = await session.fetch(addProject(quoteWord(madeIn), request), folder);
  return { problem: added && `${commands.at(-1)!.text}: ${added}`, missing };
}

const MANIFEST = /^(pyproject\.toml|setup\.cfg|.*\.(txt|in))$/;
const MAX_BYTES = 1_000_000;

/** Collects the manifests, which can be read without running project code. */
async function manifestsOf(folder: string): Promise<Input[]> {
  const inFolder = (await readdir(folder)).filter(name => MANIFEST.test(name));
  const below = await namesIn(join(folder, 'requirements'));
  const paths = [
    ...inFolder,
    ...below.filter(name => MANIFEST.test(name)).map(name => join('requirements', name)),
  ];
  const read = await Promise.all(
    paths.sort().map(async path => ({
      path,
      text: await readFile(join(folder, path), 'utf8').catch(unlessDiskFails('')),
      from: null,
    })),
  );
  return read.filter(({ text }) => text !== '' && text.length < MAX_BYTES);
}

const versionOf = ({ installation: { env } }: InstallSession): Promise<string> =>
  printedBy('python3', ['-c', 'import sys; print(sys.version, sys.prefix)'], {
    PATH: env['PATH'],
    HOME: env['HOME'],
  });
