/**
 * What lies around the runs of a project and is nobody's to touch before the person approves: their checkout, and how
 * Dure is set up there. It is looked at, never guarded: people go on working in it.
 */
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { readText } from '../formats/file.ts';
import type { ProjectFiles } from '../formats/layout.ts';
import { dirtyFiles } from './base.ts';
import type { Repository } from './git.ts';

/** Path below the project, or a name of git's -> what tells it from another state. */
export type Surroundings = Readonly<Record<string, string>>;

/** Nobody has thousands of uncommitted files for long, and a record of them helps no one. */
const MOST = 2000;

/** Of what `runId` keeps there itself nothing is said. Null where there is too much to look at. */
export async function surroundings(
  repo: Repository,
  project: ProjectFiles,
  runId: string,
): Promise<Surroundings | null> {
  const [dirty, head, config, decisions] = await Promise.all([
    dirtyFiles(repo),
    repo.shadow ? null : headOf(repo),
    namesIn(project.config),
    namesIn(project.decisions),
  ]);
  if (dirty.length > MOST) return null;
  const below = (path: string) => path.slice(project.root.length + 1);
  const files = [
    ...dirty.map(path => [path, join(repo.workTree, path)] as const),
    ...config.map(path => [below(path), path] as const),
    ...decisions.filter(path => !path.includes(`/${runId}.`)).map(path => [below(path), path] as const),
  ];
  const seen = await Promise.all(files.map(async ([name, path]) => [name, await mark(path)] as const));
  return Object.fromEntries([...(head ? [['HEAD', head] as const] : []), ...seen]);
}

/** Where the person is, read without git: which branch, and when it was last moved. */
async function headOf({ gitDir, commonDir }: Repository): Promise<string> {
  const head = (await readText(join(gitDir, 'HEAD'))) ?? '';
  const branch = /^ref: (\S+)/.exec(head)?.[1];
  return branch === undefined ? head : `${head} ${await mark(join(commonDir, branch))}`;
}

const namesIn = async (dir: string): Promise<string[]> =>
  (await readdir(dir).catch(() => [] as string[])).map(name => join(dir, name));

const mark = (path: string): Promise<string> =>
  lstat(path).then(
    ({ size, mtimeMs, mode }) => `${mode} ${size} ${mtimeMs}`,
    () => 'gone',
  );
