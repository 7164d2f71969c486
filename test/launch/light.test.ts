/** Commands that only read and show load nothing heavy. Counted in modules, not in time. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { COMPLETED, prepareRun } from '../commands/prepared.ts';
import { type TestProject, testProject } from '../helpers/project.ts';

const RUN = 'run-20260131-142201';
/** Words that only the code of these libraries has. */
const HEAVY = {
  zod: '$ZodType',
  listr2: 'ListrTaskEventType',
  execa: 'ExecaError',
  express: 'X-Powered-By',
  'socket.io': 'socket.io',
  'write-file-atomic': 'writeFileAtomic',
};

let project: TestProject;
let witness: string;
beforeAll(async () => {
  project = await testProject();
  await project.dure(['init', '--yes']);
  await prepareRun(project, RUN, COMPLETED);
  witness = join(project.beside, 'witness.cjs');
  await writeFile(
    witness,
    `process.on('exit', () => require('node:fs').writeFileSync(process.env.WITNESS, JSON.stringify(Object.keys(require.cache))));`,
  );
});
afterAll(() => project.remove());

async function loaded(args: readonly string[]): Promise<string[]> {
  const list = join(project.beside, 'loaded.json');
  const { code } = await project.dure(args, { env: { NODE_OPTIONS: `--require=${witness}`, WITNESS: list } });
  expect(code).toBe(0);
  const files = (JSON.parse(await readFile(list, 'utf8')) as string[]).filter(file => file.endsWith('.cjs'));
  const texts = await Promise.all(files.map(file => readFile(file, 'latin1')));
  return Object.keys(HEAVY).filter(name =>
    texts.some(text => text.includes(HEAVY[name as keyof typeof HEAVY])),
  );
}

const LIGHT = [
  ['status'],
  ['status', '--json'],
  ['history'],
  ['history', '--json'],
  ['logs'],
  ['logs', '--json'],
  ['--help'],
  ['start', '--help'],
  ['completion', 'bash'],
  ['__complete', '--', 'status', ''],
  ['--version'],
];
it.each(LIGHT.map(args => [args.join(' '), args] as const))('%s loads nothing heavy', async (_, args) => {
  expect(await loaded(args)).toEqual([]);
});

it('a heavy command would be seen', async () => {
  expect(await loaded(['config', 'check'])).toContain('zod');
});
