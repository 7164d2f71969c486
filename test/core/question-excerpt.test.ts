/** The context of Dure's own questions: the end of the relevant log, sanitized and short. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import {
  logExcerptForQuestion,
  withLogExcerpt,
} from '../../src/core/run/effects/log-excerpt-for-question.ts';
import { runFiles } from '../../src/formats/layout.ts';
import type { RunState } from '../../src/formats/state.ts';
import { sampleState } from '../helpers/sample-values.ts';

const hash = 'a'.repeat(40);
const tests: RunState['tests'] = {
  machine: 'could-not-run',
  exit_code: 127,
  total: 0,
  passed: 0,
  failed: 0,
  skipped: 0,
  coverage: null,
  tree: hash,
  tests_tree: hash,
};

async function runWith(files: Record<string, string>) {
  const dir = await mkdtemp(join(tmpdir(), 'dure-test-'));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(dir, path)), { recursive: true });
    await writeFile(join(dir, path), text);
  }
  return runFiles(dir);
}
const at = (step: string, more: Partial<RunState> = {}): RunState => ({
  ...sampleState(),
  step,
  launch: 4,
  ...more,
});

test('a question about tests that could not run shows the end of their log', async () => {
  const log = `${Array.from({ length: 9000 }, (_, n) => `line ${n}`).join('\n')}\n\nsh: \u001b[31mvitest\u001b[0m: not found\n`;
  const files = await runWith({ 'verifier/test-log.txt': log });
  const context = withLogExcerpt(
    'It failed.',
    await logExcerptForQuestion(files, at('execute', { tests }), 'tests'),
  );
  const [message, , title, , ...lines] = context.split('\n');
  expect([message, title]).toEqual(['It failed.', 'The last lines of `verifier/test-log.txt`:']);
  expect(lines).toHaveLength(25);
  expect(lines.at(-2)).toBe('    line 8999');
  expect(lines.at(-1)).toBe('    sh: vitest: not found');
});

test('a question about a failed agent shows its last output in readable form', async () => {
  const said = { type: 'assistant', message: { content: [{ type: 'text', text: 'I cannot log in.' }] } };
  const files = await runWith({ 'logs/builder.4.jsonl': `${JSON.stringify(said)}\nplain words\n` });
  const cause = await logExcerptForQuestion(files, at('build'), 'failure');
  expect(cause).toEqual({ of: "the builder's output", lines: ['I cannot log in.', 'plain words'] });
});

test('a question without a relevant log contains only its message', async () => {
  const files = await runWith({});
  expect(await logExcerptForQuestion(files, at('build'), 'failure')).toBeNull();
  expect(
    await logExcerptForQuestion(files, at('execute', { tests: { ...tests!, machine: 'pass' } }), 'exhausted'),
  ).toBeNull();
  expect(await logExcerptForQuestion(files, at('build'), 'budget')).toBeNull();
  expect(withLogExcerpt('It failed.', null)).toBe('It failed.');
});
