/** What a person should know before they read that tests passed: the first lines of a pack. Pure. */
import type { Evidence } from '../formats/mrp.ts';
import { incomparable, overridden } from './merge-pack-checks.ts';
import { name } from './quoting.ts';

const MOST_INPUTS = 50;

export function warnings({ checks, command_inputs, sandbox, no_sandbox_because }: Evidence): string[] {
  return [
    ...overridden(checks),
    ...incomparable(checks),
    ...(command_inputs.length > 0 ? [inputs(command_inputs)] : []),
    ...(sandbox === 'none'
      ? [
          `**Warning: the tests ran without a sandbox** (${name(no_sandbox_because ?? 'no reason is known')}). What they ran could change files of yours, this result among them, and use the network.`,
        ]
      : []),
  ];
}

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
  keys.length === 0 ? name(path) : `${name(path)}: ${keys.map(name).join(', ')}`;
