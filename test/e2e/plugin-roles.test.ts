/** Plugin roles at both ends of the pipeline run like the built-in ones. */
import { expect, test } from 'vitest';
import { type AgentRole, definePlugin } from '../../src/index.ts';
import { cassette, flag } from './agent-moves.ts';
import { scratchProject } from './scratch-project.ts';

const role = (name: string, before: string): AgentRole => ({
  name,
  steps: [{ name, before, outputs: [{ file: `${name}/report.md`, about: 'what it saw' }] }],
  prompt: () => `# ${name}`,
});
const plugin = definePlugin({ name: 'ends', roles: [role('scout', 'refine'), role('audit', 'gate')] });
const reports = (name: string) => [
  { write: `${name}/report.md`, text: 'Seen.\n' },
  flag(`${name}/done.flag`),
];

test('one plugin role runs before the Refiner and one before the Gatekeeper, which reads the outputs of both', async () => {
  const { start } = await scratchProject({ plugins: [{ plugin: 'dure-ends', load: async () => plugin }] });
  const { title, parts } = cassette();
  const run = await start({
    title,
    parts: { ...parts, scout: [reports('scout')], audit: [reports('audit')] },
  });
  expect((await run.drive()).phase).toBe('ready_for_merge');
  expect(await run.eventTypes('agent.completed', 'verdict.given')).toEqual([
    ...['scout', 'refine', 'build', 'generate', 'analyse', 'audit', 'gate'].map(
      step => `agent.completed ${step}`,
    ),
    'verdict.given',
  ]);
  const prompt = await run.prompt('gatekeeper');
  expect(prompt).toContain('scout/report.md');
  expect(prompt).toContain('audit/report.md');
});
