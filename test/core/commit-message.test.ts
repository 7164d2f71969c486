import { expect, test } from 'vitest';
import { commitMessage } from '../../src/core/text/commit-message.ts';

const RUN = 'run-20260131-142233';
const template = { message: '{title}\n\n{body}', trailers: ['Dure-Run: {run}'] };

test('a message has a title, a body and trailers', () => {
  const briefing = '\n# Add a limit\n\nAt most ten.\n\n## Why\n\nIt is slow.\n';
  expect(commitMessage(template, briefing, RUN)).toBe(
    `Add a limit\n\nAt most ten.\n\nWhy\n\nIt is slow.\n\nDure-Run: ${RUN}\n`,
  );
});

test('a one-line briefing becomes the subject', () => {
  expect(commitMessage(template, '### Add a limit', RUN)).toBe(`Add a limit\n\nDure-Run: ${RUN}\n`);
});

test("a subject has at most 72 characters, including the template's text, and is cut between words", () => {
  const title = 'Make the importer of the monthly reports skip the lines that it cannot read at all';
  const [subject] = commitMessage(template, title, RUN).split('\n');
  expect(subject).toBe('Make the importer of the monthly reports skip the lines that it cannot…');
  const [typed] = commitMessage({ ...template, message: 'feat(importer): {title}' }, title, RUN).split('\n');
  expect(typed).toBe('feat(importer): Make the importer of the monthly reports skip the lines…');
  expect([...commitMessage(template, '한'.repeat(100), RUN).split('\n')[0]!].length).toBe(72);
});

test('briefing text is never treated as a placeholder, a git comment or a control character', () => {
  const briefing = 'Explain {body} and {run}\n\n# {title}\n\u001b[31mred\u001b[0m $& text\n';
  expect(commitMessage({ ...template, trailers: [] }, briefing, RUN)).toBe(
    'Explain {body} and {run}\n\n{title}\nred $& text\n',
  );
});

test('a template and its trailers are filled in', () => {
  const own = {
    message: 'chore: {title} [{run}]',
    trailers: ['Dure-Run: {run}', 'Co-authored-by: Claude <noreply@anthropic.com>'],
  };
  expect(commitMessage(own, 'Tidy\n\nall of it', RUN)).toBe(
    `chore: Tidy [${RUN}]\n\nDure-Run: ${RUN}\nCo-authored-by: Claude <noreply@anthropic.com>\n`,
  );
});

test('a long body is cut at the end of a line', () => {
  const message = commitMessage(template, `Title\n\n${'a line of text\n'.repeat(1000)}`, RUN);
  expect(message.length).toBeLessThan(4100);
  expect(message).toMatch(/a line of text…\n\nDure-Run: /);
});
