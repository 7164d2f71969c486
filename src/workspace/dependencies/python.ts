/**
 * Python set-ups of the form that `init` proposes: a virtual environment in the tree, filled by pip. What the project
 * needs is prepared once from manifests alone; the project itself is added in each tree, editable, so that its sources in
 * this tree are what is imported, whatever else there is. Other commands run as they are.
 */
import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isFolder } from './copy.ts';
import { type PipRequest, pipRequest } from './pip-request.ts';
import { copyInto, fromPrepared } from './prepared.ts';
import type { Input } from './prepared-inputs.ts';
import { addsProject, installsRequirements } from './python-programs.ts';
import type { Session } from './session.ts';
import { quoted } from './shell-words.ts';

interface Outcome {
  readonly problem: string | null;
  readonly reused: boolean;
}

/** The commands run one after the other in `folder`. */
export async function setUpPython(
  session: Session,
  folder: string,
  commands: readonly { readonly text: string; readonly words: readonly string[] }[],
): Promise<Outcome> {
  const request = pipRequest(commands.map(({ words }) => words));
  if (request && !(await isFolder(join(folder, '.venv'))))
    return fromRequest(session, folder, request, commands);
  return { problem: await asTheyAre(session, folder, commands), reused: false };
}

async function asTheyAre(session: Session, folder: string, commands: readonly { readonly text: string }[]) {
  for (const { text } of commands) {
    session.say(`$ ${text}`);
    const problem = await session.fetch(text, folder);
    if (problem !== null) return `${text}: ${problem}`;
  }
  return null;
}

async function fromRequest(
  session: Session,
  folder: string,
  request: PipRequest,
  commands: readonly { readonly text: string }[],
): Promise<Outcome> {
  session.say(commands.map(({ text }) => `$ ${text}`).join('\n'));
  const asked = JSON.stringify(request);
  let madeIn = '';
  const { problem, reused } = await fromPrepared(session, {
    kind: 'python',
    key: [asked, installsRequirements, await versionOf(session)],
    inputs: await manifestsOf(folder),
    make: making => session.fetch(program(installsRequirements, asked), making, { writable: [making] }),
    async use(prepared) {
      madeIn = await readFile(join(prepared, 'made-in.txt'), 'utf8');
      await copyInto(join(prepared, '.venv'), join(folder, '.venv'), session.installation.signal);
    },
    partial: 'partial.json',
  });
  if (problem !== null) return { problem: `${commands.at(-1)!.text}: ${problem}`, reused };
  session.say(
    reused
      ? 'What the project needs was prepared before.'
      : 'What the project needs is prepared for later set-ups too.',
  );
  const added = await session.fetch(program(addsProject, madeIn, asked), folder);
  return { problem: added && `${commands.at(-1)!.text}: ${added}`, reused };
}

const program = (text: string, ...args: readonly string[]): string =>
  `python3 - ${args.map(quoted).join(' ')} <<'END_OF_PROGRAM'\n${text}\nEND_OF_PROGRAM\n`;

const MANIFEST = /^(pyproject\.toml|setup\.cfg|.*\.(txt|in))$/;
const MOST_BYTES = 1_000_000;

/** What is read without running anything of the project. */
async function manifestsOf(folder: string): Promise<Input[]> {
  const inFolder = (await readdir(folder)).filter(name => MANIFEST.test(name));
  const below = await readdir(join(folder, 'requirements')).catch(() => [] as string[]);
  const paths = [
    ...inFolder,
    ...below.filter(name => MANIFEST.test(name)).map(name => join('requirements', name)),
  ];
  const read = await Promise.all(
    paths.sort().map(async path => ({
      path,
      text: await readFile(join(folder, path), 'utf8').catch(() => ''),
      from: null,
    })),
  );
  return read.filter(({ text }) => text !== '' && text.length < MOST_BYTES);
}

const versionOf = ({ installation: { env } }: Session): Promise<string> =>
  new Promise(resolve => {
    const options = { env: { PATH: env['PATH'], HOME: env['HOME'] }, cwd: '/', timeout: 30_000 };
    execFile('python3', ['-c', 'import sys; print(sys.version, sys.prefix)'], options, (error, stdout) =>
      resolve(error ? 'none' : stdout),
    );
  });
