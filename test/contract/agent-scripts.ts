/** The turns of the model with which each of the four agents succeeds; tests replace some of them. */
import { join } from 'node:path';
import { runFiles } from '../../src/formats/layout.ts';
import type { Script, ScriptFor, Turn } from './fake-messages-api.ts';

export type Part = 'refiner' | 'builder' | 'generate' | 'analyse' | 'gatekeeper';
/** `time` counts the sessions of this part: 1, 2 … */
export type AgentScript = (files: ReturnType<typeof runFiles>, time: number) => Script;

type ToolUse = NonNullable<Turn['use']>[number];
export const write = (file_path: string, content: string): ToolUse => ({
  name: 'Write',
  input: { file_path, content },
});
export const json = (file: string, value: unknown): ToolUse => write(file, JSON.stringify(value));
export const bash = (command: string): ToolUse => ({
  name: 'Bash',
  input: { command, description: 'a step' },
});

/** Costs a few cents per turn. Above 100 000 input tokens, the CLI would use a different price list. */
const COSTLY_TURN = { output_tokens: 90_000, input_tokens: 5000, cache_read_input_tokens: 20_000 };
export const scriptWith = (...use: ToolUse[]): Script => [
  { say: 'I begin.', use, tokens: COSTLY_TURN },
  { say: 'All is written.', tokens: { ...COSTLY_TURN, cache_creation_input_tokens: 10_000 } },
];

export const successfulBuilder: AgentScript = files =>
  scriptWith(
    bash('echo hello > greeting.txt'),
    write(join(files.builder, 'log.md'), 'I wrote greeting.txt.'),
    write(files.doneOf('builder'), 'done'),
  );

export const successfulRefiner: AgentScript = files =>
  scriptWith(
    write(files.refined, '# Refined\n\nWrite greeting.txt.'),
    json(files.clarifications, []),
    write(files.logOf('briefing'), 'Nothing to add.'),
    write(files.doneOf('briefing'), 'done'),
  );

const TESTS =
  'echo TAP version 13; echo 1..1; grep -q hello builder/output/greeting.txt && echo ok 1 - greets || echo not ok 1 - greets';

const SUCCESSFUL_SCRIPTS: Record<Part, AgentScript> = {
  refiner: successfulRefiner,
  builder: successfulBuilder,
  generate: files =>
    scriptWith(
      write(join(files.tests, 'greets.sh'), TESTS),
      json(files.testConfig, {
        test_framework: 'custom',
        test_command: 'sh verifier/tests/greets.sh',
        test_directory: 'verifier/tests',
        timeout_ms: 60_000,
        coverage: false,
      }),
      write(files.testsReady, 'done'),
    ),
  analyse: files =>
    scriptWith(
      json(files.results, { summary: 'The one test passed.' }),
      write(files.logOf('verifier'), 'Read the results.'),
      write(files.doneOf('verifier'), 'done'),
    ),
  gatekeeper: files =>
    scriptWith(
      write(files.review, '# Review\n\nIt greets.'),
      write(files.logOf('gatekeeper'), 'Looked.'),
      json(files.verdict, { verdict: 'PASS', reason: 'It greets.' }),
    ),
};

/** Identifies the agent by its prompt; a resumed session still contains its first prompt. */
export function scriptedAgents(parts: Partial<Record<Part, AgentScript>> = {}): ScriptFor {
  const sessions = new Map<Part, string[]>();
  return task => {
    const part = partOf(task);
    const dir = /^The folder of this run is `(.+?)`\./m.exec(task)?.[1];
    if (!part || !dir) throw new Error(`the prompt names no role or no folder:\n${task.slice(0, 2000)}`);
    const known = sessions.get(part) ?? [];
    if (!known.includes(task)) known.push(task);
    sessions.set(part, known);
    return (parts[part] ?? SUCCESSFUL_SCRIPTS[part])(runFiles(dir), known.indexOf(task) + 1);
  };
}

function partOf(task: string): Part | null {
  if (/^# Refiner:/m.test(task)) return 'refiner';
  if (/^# Builder:/m.test(task)) return 'builder';
  if (/^# Verifier:/m.test(task))
    return task.includes('You are the Verifier, in the first part') ? 'generate' : 'analyse';
  return /^# Gatekeeper:/m.test(task) ? 'gatekeeper' : null;
}

/** A question to the person. */
export const consultHuman = {
  name: 'mcp__dure__consult_human',
  input: {
    type: 'architecture',
    question: 'How shall it greet?',
    options: [
      { id: 'A', label: 'hello' },
      { id: 'B', label: 'good day' },
    ],
    recommendation: 'A',
  },
};
