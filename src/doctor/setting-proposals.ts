/** Proposes settings based on a project's files. Skips settings that are already set. */
import type { Json } from '../formats/schema/strict-json.ts';
import { proposeChecks } from '../proof/checks/propose-checks.ts';
import { proposeSetup } from '../workspace/dependencies/propose-set-up.ts';
import { printedIn } from '../workspace/git/run-git.ts';

export interface Proposal {
  /** A key in global.json. */
  readonly setting: string;
  readonly value: Json;
  /** The value as shown to people. */
  readonly shown: string;
  /** The files that suggest this value. */
  readonly because: string;
}

/** `written` is the current content of global.json. */
export async function proposals(root: string, written: Readonly<Record<string, Json>>): Promise<Proposal[]> {
  const workspace = (written['workspace'] ?? {}) as { setup?: string | null; directory?: string };
  const { top, directory } = await placeOf(root, workspace.directory ?? '.');
  const isSet = { setup: typeof workspace.setup === 'string', checks: isFilled(written['checks']) };
  const [setup, checks] = await Promise.all([
    isSet.setup ? [] : setupIn(top, directory),
    isSet.checks ? [] : checksIn(top, directory),
  ]);
  return [...setup, ...checks];
}

const isFilled = (list: Json | undefined): boolean => Array.isArray(list) && list.length > 0;

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

/** Finds the top of the repository: manifests may be in a parent folder of the project, up to that top. */
async function placeOf(root: string, below: string): Promise<{ top: string; directory: string }> {
  const answer = await printedIn(root, ['rev-parse', '--show-toplevel', '--show-prefix']);
  const [top, prefix] = answer?.split('\n') ?? [];
  const directory = (prefix ?? '') + below;
  return top ? { top, directory } : { top: root, directory: below };
}
