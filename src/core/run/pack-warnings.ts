/** Warnings at the top of a pack, before the statement that tests passed. */
import type { Evidence } from '../../formats/mrp.ts';
import { quotedName } from '../policy/markdown-quote.ts';
import { acceptedRegressions, uncomparedChecks } from './pack-checks.ts';
import { changedRules } from './pack-rules.ts';

const MOST_INPUTS = 50;

export function packWarnings({
  checks,
  command_inputs,
  failed_builds,
  equal_names,
  ...evidence
}: Evidence): string[] {
  const { sandbox, no_sandbox_because, agents_sandbox } = evidence;
  return [
    ...acceptedRegressions(checks),
    ...uncomparedChecks(checks),
    ...(command_inputs.length > 0 ? [inputs(command_inputs)] : []),
    ...(equal_names?.length ? [sameNames(equal_names)] : []),
    ...(failed_builds?.length ? [builds(failed_builds)] : []),
    ...changedRules(evidence),
    ...(sandbox === 'none'
      ? [
          `**Warning: the tests ran without a sandbox** (${quotedName(no_sandbox_because ?? 'no reason is known')}). What they ran could change files of yours, this result among them, and use the network.`,
        ]
      : []),
    ...(agents_sandbox === 'none'
      ? [
          '**Warning: the agents ran without a sandbox.** They could read and change every file that you can, use the network, and leave processes running.',
        ]
      : []),
  ];
}

const sameNames = (groups: readonly (readonly string[])[]): string =>
  [
    '**Warning: these names differ only in case.** On macOS and Windows, only one file of each group can exist:',
    '',
    ...groups.slice(0, MOST_INPUTS).map(names => `- ${names.map(quotedName).join(', ')}`),
    ...(groups.length > MOST_INPUTS ? [`- … and ${groups.length - MOST_INPUTS} more`] : []),
  ].join('\n');

const builds = (failed: readonly string[]): string =>
  `**Warning: on base, this part of the set-up fails: ${failed.map(quotedName).join(', ')}.** The tests and checks ran without it, and it was not tried on this result.`;

function inputs(changed: Evidence['command_inputs']): string {
  const shown = changed.slice(0, MOST_INPUTS).map(input => `- ${inputName(input)}`);
  const more = changed.length > shown.length ? [`- … and ${changed.length - shown.length} more`] : [];
  return [
    '**Warning: this result changes how its tests are run.** Look at these files first; with them tests can pass that would fail otherwise:',
    '',
    ...shown,
    ...more,
  ].join('\n');
}

const inputName = ({ path, keys }: Evidence['command_inputs'][number]): string =>
  keys.length === 0 ? quotedName(path) : `${quotedName(path)}: ${keys.map(quotedName).join(', ')}`;
