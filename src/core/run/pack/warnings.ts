/** Renders the warnings at the top of a pack and of every view of it, before the statement that tests passed. */

import { isRulePath } from '../../../formats/agent-rule-paths.ts';
import type { CheckResult } from '../../../formats/check-results.ts';
import type { Evidence } from '../../../formats/evidence.ts';
import { restoreCommand } from '../../policy/command-for-user.ts';
import { quotedName } from '../../text/markdown-quote.ts';
import { missingFilesText } from '../../text/missing-base-files-text.ts';
import { truncatedBullets, truncatedInline } from '../../text/truncate-list.ts';
import { regressionLines } from './checks-section.ts';

const MAX_INPUTS = 50;

export interface PackWarning {
  readonly kind:
    | 'overridden'
    | 'uncompared'
    | 'inputs'
    | 'equal-names'
    | 'builds'
    | 'requirements'
    | 'files'
    | 'rules'
    | 'unchecked'
    | 'lost-refs'
    | 'unread-refs'
    | 'tests-sandbox'
    | 'agents-sandbox';
  /** What the warning is about, such as paths. These texts come from agents and files and are not quoted yet. */
  readonly names: readonly string[];
  /** Markdown. */
  readonly text: string;
}

export function packWarnings({
  checks,
  command_inputs,
  failed_builds = [],
  missing_requirements = [],
  missing_files,
  equal_names = [],
  lost_refs = [],
  unread_refs = [],
  ...evidence
}: Evidence): PackWarning[] {
  const { sandbox, no_sandbox_because, agents_sandbox, key_replaced } = evidence;
  const overridden = checks.filter(check => check.overridden_count > 0);
  const uncompared = checks.filter(isIncomparable).map(({ name }) => name);
  const rules = changedRules(evidence);
  const found: readonly (PackWarning | false)[] = [
    overridden.length > 0 && {
      kind: 'overridden',
      names: overridden.flatMap(check => check.overridden.map(({ test }) => test ?? check.name)),
      text: acceptedRegressions(overridden),
    },
    uncompared.length > 0 && { kind: 'uncompared', names: uncompared, text: uncomparedChecks(uncompared) },
    command_inputs.length > 0 && {
      kind: 'inputs',
      names: command_inputs.map(({ path, keys }) => (keys.length > 0 ? `${path}: ${keys.join(', ')}` : path)),
      text: inputs(command_inputs),
    },
    equal_names.length > 0 && {
      kind: 'equal-names',
      names: equal_names.map(group => group.join(', ')),
      text: sameNames(equal_names),
    },
    failed_builds.length > 0 && { kind: 'builds', names: failed_builds, text: builds(failed_builds) },
    missing_requirements.length > 0 && {
      kind: 'requirements',
      names: missing_requirements,
      text: requirements(missing_requirements),
    },
    missing_files !== undefined && {
      kind: 'files',
      names: missingFilesText(missing_files),
      text: files(missingFilesText(missing_files)),
    },
    rules.length > 0 && { kind: 'rules', names: rules, text: rulesChanged(rules) },
    key_replaced !== undefined && {
      kind: 'unchecked',
      names: [String(key_replaced.events)],
      text: unchecked(key_replaced),
    },
    lost_refs.length > 0 && {
      kind: 'lost-refs',
      names: lost_refs.map(restoreCommand),
      text: lostRefs(lost_refs.map(restoreCommand)),
    },
    unread_refs.length > 0 && { kind: 'unread-refs', names: unread_refs, text: unreadRefs(unread_refs) },
    sandbox === 'none' && {
      kind: 'tests-sandbox',
      names: no_sandbox_because === null ? [] : [no_sandbox_because],
      text: `**Warning: the tests ran without a sandbox** (${no_sandbox_because === null ? 'reason unknown' : quotedName(no_sandbox_because)}). They could change your files, including this result, and use the network.`,
    },
    agents_sandbox === 'none' && {
      kind: 'agents-sandbox',
      names: [],
      text: '**Warning: the agents ran without a sandbox.** They could read and change every file that you can, use the network, and leave processes running.',
    },
  ];
  return found.filter(each => each !== false);
}

const sameNames = (groups: readonly (readonly string[])[]): string =>
  [
    '**Warning: these names differ only in case.** On macOS and Windows, only one file of each group can exist:',
    '',
    ...truncatedBullets(
      groups.map(names => names.map(quotedName).join(', ')),
      MAX_INPUTS,
    ),
  ].join('\n');

const builds = (failed: readonly string[]): string =>
  `**Warning: part of the set-up fails on base: ${failed.map(quotedName).join(', ')}.** The tests and checks ran without it, and it was not tried on this result.`;

const requirements = (missing: readonly string[]): string =>
  `**Warning: the set-up could not install ${missing.map(quotedName).join(', ')}.** The agents, tests and checks worked without them.`;

const files = (missing: readonly string[]): string =>
  `**Warning: this run worked without these files of the base commit: ${missing.map(quotedName).join(', ')}.** Submodules were not checked out, or git had no settings for a filter. `;

const unchecked = ({ events }: NonNullable<Evidence['key_replaced']>): string =>
  `**Warning: the first ${events === 1 ? 'event of this run was' : `${events} events of this run were`} not checked.** Its key was not on this machine, and \`dure recover --how rekey\` gave it a new one. Any program that runs as the user could have changed these events, and the answers and feedback in them.`;

const lostRefs = (commands: readonly string[]): string =>
  [
    '**Warning: branches, tags or stash entries were deleted or moved during this run.** Dure did not do this, but its agents could have. These commands bring back what was deleted and the tags that were moved, and show what a branch no longer contains:',
    '',
    ...truncatedBullets(commands.map(quotedName), MAX_INPUTS),
  ].join('\n');

const unreadRefs = (names: readonly string[]): string =>
  `**Warning: these branches, tags or stash entries could not be compared: ${truncatedInline(names.map(quotedName), MAX_INPUTS)}.** They may have been deleted or moved during this run, but git, or the record that Dure made of them, could not be read.`;

const inputs = (changed: Evidence['command_inputs']): string =>
  [
    '**Warning: this result changes how its tests are run.** Look at these files first: with these changes, tests can pass that would otherwise fail:',
    '',
    ...truncatedBullets(changed.map(inputName), MAX_INPUTS),
  ].join('\n');

const inputName = ({ path, keys }: Evidence['command_inputs'][number]): string =>
  keys.length === 0 ? quotedName(path) : `${quotedName(path)}: ${keys.map(quotedName).join(', ')}`;

/** Warns about tests from base that fail on a result that changes or removes them, or changes what runs them. */
const acceptedRegressions = (checks: readonly CheckResult[]): string =>
  [
    '**Warning: these tests from base fail on the result, which changes or removes them, or changes what runs them.** Before you approve, check what it changed:',
    '',
    ...checks.flatMap(check => regressionLines(check, check.overridden, check.overridden_count)),
  ].join('\n');

/** A check that also fails on base, and reports no passing tests there, could not have detected a regression. */
const isIncomparable = ({ status, base }: CheckResult): boolean =>
  status === 'red-on-base' && !base?.counts?.passed;

function uncomparedChecks(names: readonly string[]): string {
  const [checks, why] =
    names.length === 1
      ? ['this project check proves nothing here', 'It fails on base as well as on the result, and reports']
      : ['these project checks prove nothing here', 'They fail on base as well as on the result, and report'];
  return `**Warning: ${checks}: ${names.map(quotedName).join(', ')}.** ${why} no passing test.`;
}

/** Returns the paths of the changed files that contain rules for agents. */
function changedRules({ files_changed, rules }: Pick<Evidence, 'files_changed' | 'rules'>): string[] {
  const known = new Set(rules?.files.map(({ path }) => path));
  if (rules?.mcp) known.add(rules.mcp.path);
  return files_changed.filter(path => known.has(path) || isRulePath(path));
}

/** Maximum number of paths in the warning about changed rules. */
const MAX_PATHS = 20;

/** Warns that later runs will follow the rules that this result changes. */
const rulesChanged = (paths: readonly string[]): string =>
  `**Warning: this result changes rules for agents: ${truncatedInline(paths.map(quotedName), MAX_PATHS)}.** The agents of later runs follow them.`;
