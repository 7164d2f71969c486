/**
 * Selects the roles that can be used. Each needs a folder and steps of its own, and a valid position for every step.
 * Other roles are rejected and reported. The result does not depend on the order of the plugins.
 * core/policy/pipeline/compose-pipeline.ts determines the positions of steps.
 */

import { AUTOMATED_STEPS } from '../core/policy/pipeline/automated-steps.ts';
import { isWorkedOn } from '../core/policy/state/phase.ts';
import { RESERVED_FOLDERS } from '../formats/layout.ts';
import type { AgentRole } from '../index.ts';
import type { ReportFault } from './guard-contributions.ts';

interface ContributedRole {
  readonly one: AgentRole;
  readonly builtIn: boolean;
  readonly reportFault: ReportFault;
}

/** Names of Dure's own launches, used in time limits and questions. */
const NAMES = ['dure', 'setup', 'proof', 'exam', 'checks'];

/** Returns the built-in roles first, without those that another role replaces. */
export function selectRoles<T extends ContributedRole>(offered: readonly T[]): T[] {
  const replaced = new Set<string>();
  const standing = offered.filter(({ one, reportFault }) => {
    const name = one.replaces;
    if (name === undefined) return true;
    const problem = !offered.some(other => other.builtIn && other.one.name === name)
      ? `role ${one.name} replaces ${name}, which is not a built-in role`
      : replaced.has(name)
        ? `role ${one.name} replaces ${name}, which another role already replaces`
        : null;
    if (problem) reportFault(problem);
    else replaced.add(name);
    return problem === null;
  });
  const steps = new Set(Object.keys(AUTOMATED_STEPS));
  const folders = new Set(RESERVED_FOLDERS);
  const names = new Set<string>();
  const free = [...standing]
    .filter(role => !(role.builtIn && replaced.has(role.one.name)))
    .sort((a, b) => Number(b.builtIn) - Number(a.builtIn))
    .filter(role => isFree(role, names, steps, folders));
  return placeable(free);
}

/** Reserves the name, folder and steps of the role. If one is already in use, reports it and returns false. */
function isFree(
  { one, reportFault }: ContributedRole,
  names: Set<string>,
  steps: Set<string>,
  folders: Set<string>,
): boolean {
  const folder = one.folder ?? one.name;
  const own = [...new Set(one.steps.map(step => step.name))];
  const phase = one.steps.map(step => step.phase ?? step.name).find(name => !isWorkedOn(name));
  const taken = own.find(name => steps.has(name));
  const problems = [
    NAMES.includes(one.name) && `the name ${one.name} is reserved for Dure`,
    names.has(one.name) && `role ${one.name} is already contributed by another plugin`,
    taken !== undefined && `step ${taken} of role ${one.name} is already in use`,
    phase !== undefined && `phase ${phase} of role ${one.name} is already in use`,
    folders.has(folder) && `folder ${folder} of role ${one.name} is already in use`,
  ];
  const problem = problems.find(Boolean);
  if (problem) reportFault(problem);
  else {
    names.add(one.name);
    folders.add(folder);
    for (const name of own) steps.add(name);
  }
  return problem === undefined;
}

/** Removes roles with a step that cannot be inserted, e.g. because it comes after a step that no role provides. */
function placeable<T extends ContributedRole>(offered: readonly T[]): T[] {
  const known = new Set(Object.keys(AUTOMATED_STEPS));
  const ends = new Set<string>();
  let unplaced = [...offered];
  for (;;) {
    const next = unplaced.find(({ one }) => placeProblem(one, known, ends) === null);
    if (!next) break;
    for (const { name, phase = name, yields } of next.one.steps)
      for (const place of [name, phase]) {
        known.add(place);
        if (yields === 'verdict') ends.add(place);
      }
    unplaced = unplaced.filter(role => role !== next);
  }
  for (const { one, reportFault } of unplaced) reportFault(placeProblem(one, known, ends)!);
  return offered.filter(role => !unplaced.includes(role));
}

/** Returns why a role cannot be inserted; null if it can. */
function placeProblem(
  { steps }: AgentRole,
  known: ReadonlySet<string>,
  ends: ReadonlySet<string>,
): string | null {
  for (const { name, before, after } of steps) {
    if (before !== undefined && after !== undefined) return `step ${name} has both \`before\` and \`after\``;
    const [side, place] = after === undefined ? ['before', before] : ['after', after];
    if (side === 'after' && place !== undefined && ends.has(place))
      return `step ${name} cannot come after ${place}: the verdict ends the pipeline`;
    if (place !== undefined && !known.has(place))
      return `step ${name} is placed ${side} ${place}, which no available role provides`;
  }
  return null;
}
