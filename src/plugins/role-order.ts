/** Puts roles where the phases are that they name, whatever the order of plugins; what cannot be placed is refused by name. */

import { ROLES } from '../formats/layout.ts';
import type { AgentRole } from '../index.ts';
import type { Accuse } from './guarded.ts';

interface Offered {
  readonly one: AgentRole;
  readonly builtIn: boolean;
  readonly accuse: Accuse;
}

const BUILT_IN_PHASES = ['refine', 'build', 'verify', 'gate'];
/** Names of steps, and of what a run can be in beside its phases. */
const TAKEN = [
  ...BUILT_IN_PHASES,
  ...['prepare', 'generate', 'execute', 'analyse'],
  ...['waiting_human', 'ready_for_merge', 'completed', 'failed', 'stopped', 'interrupted'],
];
/** Folders of a run that have another writer. */
const FOLDERS = [
  ...['briefing', 'builder', 'verifier', 'gatekeeper', 'crp', 'vcr', 'mrp', 'prompts', 'logs', 'launches'],
  ...['sealed', 'feedback', 'wishes', 'proof'],
];
/** What Dure does itself goes by these names, in time limits as in questions. */
const NAMES = ['dure', 'setup', 'proof'];
const DEFAULT_AFTER = 'verify';

const isOwn = ({ one, builtIn }: Offered) => builtIn && (ROLES as readonly string[]).includes(one.name);

export function inOrder<T extends Offered>(offered: readonly T[]): T[] {
  const own = offered.filter(isOwn);
  const phases = new Set(TAKEN);
  const folders = new Set(FOLDERS);
  let left = offered.filter(role => !isOwn(role) && isFree(role, phases, folders));
  const placed: T[] = [];
  const known = new Set(BUILT_IN_PHASES);
  for (;;) {
    const next = left.find(({ one }) => whyNot(one, known) === null);
    if (!next) break;
    placed.push(next);
    known.add(next.one.phase);
    left = left.filter(role => role !== next);
  }
  for (const { one, accuse } of left) accuse(whyNot(one, known)!);
  return [...own, ...placed];
}

/** What keeps a role from its place among the phases that are known; null when nothing does. */
function whyNot({ name, before, after }: AgentRole, known: ReadonlySet<string>): string | null {
  if (before !== undefined && after !== undefined) return `role ${name} names both before and after`;
  const [side, phase] = before === undefined ? ['after', after ?? DEFAULT_AFTER] : ['before', before];
  if (side === 'after' && phase === 'gate')
    return `role ${name} cannot come after gate: the verdict ends the pipeline`;
  return known.has(phase)
    ? null
    : `role ${name} wants to come ${side} ${phase}, which no role that can be placed provides`;
}

/** Takes the role's phase and folder, unless another has them. */
function isFree({ one, accuse }: Offered, phases: Set<string>, folders: Set<string>): boolean {
  const folder = one.folder ?? one.name;
  const problem = NAMES.includes(one.name)
    ? `the name ${one.name} is Dure's own`
    : phases.has(one.phase)
      ? `phase ${one.phase} of role ${one.name} is taken`
      : folders.has(folder)
        ? `folder ${folder} of role ${one.name} is taken`
        : null;
  if (problem) accuse(problem);
  else {
    phases.add(one.phase);
    folders.add(folder);
  }
  return problem === null;
}
