/** Settings that the files of a project suggest. Only what a person has not set is proposed. */
import type { Json } from '../formats/json.ts';
import { proposeChecks } from '../proof/checks/recognize.ts';
import { proposeSetup } from './dependencies/propose.ts';
import { runGit } from './git.ts';

export interface Proposal {
  /** A key of global.json. */
  readonly setting: string;
  readonly value: Json;
  /** What a person reads: a command. */
  readonly shown: string;
  /** The files it was recognised from. */
  readonly because: string;
}

/** `written` is global.json as it stands. */
export async function proposals(root: string, written: Readonly<Record<string, Json>>): Promise<Proposal[]> {
  const workspace = (written['workspace'] ?? {}) as { setup?: string | null; directory?: string };
  const { top, directory } = await placeOf(root, workspace.directory ?? '.');
  const isSet = { setup: typeof workspace.setup === 'string', checks: holds(written['checks']) };
  const [setup, checks] = await Promise.all([
    isSet.setup ? [] : setupIn(top, directory),
    isSet.checks ? [] : checksIn(top, directory),
  ]);
  return [...setup, ...checks];
}

const holds = (list: Json | undefined): boolean => Array.isArray(list) && list.length > 0;

async function setupIn(top: string, directory: string): Promise<Proposal[]> {
  const setup = await proposeSetup(top, directory);
  return setup
    ? [{ setting: 'workspace.setup', value: setup.command, shown: setup.command, because: setup.because }]
    : [];
}

async function checksIn(top: string, directory: string): Promise<Proposal[]> {
  const found = await proposeChecks(top, directory);
  if (found.length === 0) return [];
  return [
    {
      setting: 'checks',
      value: found.map(({ name, command }) => ({ name, command })),
      shown: found.map(({ name, command }) => `${name}: ${command}`).join('; '),
      because: [...new Set(found.map(({ because }) => because))].join(', '),
    },
  ];
}

/** What a project needs may lie above it, up to the top of its repository. */
async function placeOf(root: string, below: string): Promise<{ top: string; directory: string }> {
  const answer = await runGit(['rev-parse', '--show-toplevel', '--show-prefix'], { cwd: root }).catch(
    () => null,
  );
  const [top, prefix] = answer?.code === 0 ? answer.stdout.toString().split('\n') : [];
  const directory = (prefix ?? '') + below;
  return top ? { top, directory } : { top: root, directory: below };
}
