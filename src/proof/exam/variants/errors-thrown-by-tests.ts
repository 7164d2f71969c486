/** Recognizes failures with an error that the test files throw themselves, instead of calling an assertion. Pure. */
import type { SyntaxNode } from '@lezer/common';
import type { TestCases } from '../../../formats/test-cases.ts';
import { endsWithParts, knownParts, writtenText } from '../syntax/text-with-placeholders.ts';
import { childrenOf } from '../syntax/tree-nodes.ts';
import type { TestFile } from '../test-files-in-known-languages.ts';

/**
 * Counts a failure as a failed assertion if its message is one that the test files write: `throw new Error(…)`,
 * `done(new Error(…))`, `raise ValueError(…)`.
 */
export function withThrownErrorsAsAssertions(files: readonly TestFile[]): (cases: TestCases) => TestCases {
  const messages = files.flatMap(messagesIn);
  const isWritten = (line: string) => messages.some(message => hasMessage(line, message));
  return tests => ({
    ...tests,
    cases: tests.cases.map(each =>
      each.failure === 'error' && isWritten(each.line ?? '') ? { ...each, failure: 'assert' } : each,
    ),
  });
}

/** The parts of each message between its placeholders. */
type Message = readonly string[];

/** A message with fewer fixed characters than this could be that of any error. */
const MIN_KNOWN = 3;

function messagesIn({ text, language: { grammar } }: TestFile): Message[] {
  const messages: Message[] = [];
  grammar?.parser.parse(text).iterate({
    enter({ node }) {
      const written = errorMessage(node, text);
      // Only the first line of a message is read from a report.
      const parts = knownParts(written?.split(/\\n|\n/)[0] ?? '');
      if (parts.join('').replace(/\s/g, '').length >= MIN_KNOWN) messages.push(parts);
    },
  });
  return messages;
}

/** The message with which the node creates an error; null for any other node, and if no part of it is a literal. */
function errorMessage(node: SyntaxNode, text: string): string | null {
  if (!/^(?:New|Call)Expression$/.test(node.name)) return null;
  const [created, args] = childrenOf(node).filter(({ name }) => name !== 'new');
  const [, message] = args ? childrenOf(args) : [];
  if (!created || !message || !/(?:Error|Exception)$/.test(text.slice(created.from, created.to))) return null;
  return writtenText(message, text);
}

/** Reports may write the class of the error before its message. */
function hasMessage(line: string, message: Message): boolean {
  const [, printed = ''] = /^(?:[\w.]+(?: \[\w+\])?: )?(.*)$/.exec(line) ?? [];
  return [line, printed].some(each => each.startsWith(message[0]!) && endsWithParts(each, message));
}
