/** The published schemas of `--json` output. `test/e2e/json-output.test.ts` compares the output of every command. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { followed, outputs } from '../../src/formats/output/commands.ts';
import { jsonSchema } from '../../src/formats/schema/define-file.ts';
import { packageRoot } from '../../src/process/package-paths-and-version.ts';
import { outputName } from '../helpers/check-json-output.ts';
import { testProject } from '../helpers/test-project.ts';

const folder = join(packageRoot, 'schemas', 'output');
const all = [...outputs.values(), followed];

describe('the published output schemas', () => {
  // After an intended change: npx vitest run test/commands/output-schemas.test.ts -u
  it.each(all.map(format => [format.name, format] as const))('%s is up to date', async (name, format) => {
    const text = `${JSON.stringify(jsonSchema(format), null, 2)}\n`;
    await expect(text).toMatchFileSnapshot(join(packageRoot, 'schemas', name));
  });

  it('exist for every command, and for the lines of `logs --follow`', () => {
    expect(readdirSync(folder).sort()).toEqual(all.map(({ name }) => name.replace('output/', '')).sort());
  });
});

it('every command supports --json', async () => {
  const project = await testProject();
  onTestFinished(() => project.remove());
  const { stdout } = await project.dure(['__complete', '--', '']);
  const own = stdout
    .split('\n')
    .map(line => line.split('\t')[0]!)
    .filter(name => name && name !== 'config');
  expect(own.filter(name => outputName([name]) === null)).toEqual([]);
});
