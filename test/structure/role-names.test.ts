/** The core looks up steps by what they yield, never by the name of a role or a step. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';
import builtInRoles from '../../plugins/built-in-roles/src/index.ts';
import { AUTOMATED_STEPS } from '../../src/core/policy/pipeline/automated-steps.ts';

const core = new URL('../../src/core/', import.meta.url).pathname;
const { roles } = await builtInRoles();
const names = new Set([
  ...roles.flatMap(role => [role.name, ...role.steps.flatMap(step => [step.name, step.phase ?? step.name])]),
  ...Object.keys(AUTOMATED_STEPS).filter(name => name !== AUTOMATED_STEPS[name]!.yields),
]);
/** The file that names Dure's own steps. */
const NAMING = ['automated-steps.ts'];
/** Display text: a label for each step of the default pipeline. */
const WORDS = ['command-for-user.ts'];

const files = readdirSync(core, { recursive: true, withFileTypes: true })
  .filter(
    entry => entry.isFile() && entry.name.endsWith('.ts') && ![...NAMING, ...WORDS].includes(entry.name),
  )
  .map(entry => join(entry.parentPath, entry.name));

const codeOf = (file: string): string =>
  readFileSync(file, 'utf8').replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');

test.each([...names])('no core module refers to %s', name => {
  const asks = new RegExp(`(['"\`])${name}\\1|\\.config\\.${name}\\b`);
  const found = files.filter(file => asks.test(codeOf(file))).map(file => relative(core, file));
  expect(found).toEqual([]);
});
