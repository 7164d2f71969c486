/** Reads the last lines of the log that shows why Dure asks a question, and adds them to the question. */

import { render } from '../../../agents/streams/render-stream-event.ts';
import type { RunFiles } from '../../../formats/layout.ts';
import type { AskReason } from '../../../formats/question-reasons-and-effects.ts';
import { readStartOrEnd } from '../../../formats/read-part-of-file.ts';
import { parseJsonLine } from '../../../formats/schema/json-access.ts';
import type { RunState } from '../../../formats/state.ts';
import { plainText } from '../../../formats/text/plain-text.ts';
import { currentStep, isAgentStep } from '../../policy/pipeline/look-up-steps.ts';

const LINES = 25;
const LINE_LENGTH = 300;
/** Bytes read from the end of a log. */
const TAIL = 64_000;
/** Maximum length of the message in a question. */
const MESSAGE_LENGTH = 8000;

interface Excerpt {
  /** Names the source of the lines. The question shows it after "The last lines of". */
  readonly of: string;
  readonly lines: readonly string[];
}

export async function logExcerptForQuestion(
  files: RunFiles,
  s: RunState,
  why: AskReason,
): Promise<Excerpt | null> {
  const step = currentStep(s);
  switch (why) {
    case 'budget':
    case 'pack':
    case 'limit':
    case 'disk':
      return null;
    case 'failure':
    case 'timeout':
    case 'silence':
    case 'setup':
      if (step.yields === 'proof') return ofTests(files);
      // The message already contains the last output of the worktree's set-up, so only an agent's output is added.
      return isAgentStep(step)
        ? excerpt(`the ${step.role}'s output`, files.stream(step.role, s.launch), readableLine)
        : null;
    case 'tests':
    case 'repeated':
    case 'exhausted':
    case 'verdict':
    case 'unproven':
      return s.tests === null || s.tests.machine === 'pass' ? null : ofTests(files);
  }
}

/** Adds the excerpt to the message, as Markdown that is also readable as plain text. */
export function withLogExcerpt(message: string, cause: Excerpt | null): string {
  const what = message.slice(0, MESSAGE_LENGTH);
  if (cause === null) return what;
  return `${what}\n\nThe last lines of ${cause.of}:\n\n${cause.lines.map(line => `    ${line}`).join('\n')}`;
}

const ofTests = ({ testLog }: RunFiles) => excerpt('`verifier/test-log.txt`', testLog, line => line);

/** Renders a line of an agent's stream as readable text; null if it contains none. */
function readableLine(line: string): string | null {
  const event = parseJsonLine(line);
  return event ? render(event) : line;
}

async function excerpt(
  of: string,
  file: string,
  read: (line: string) => string | null,
): Promise<Excerpt | null> {
  const lines = (await readStartOrEnd(file, 'end', TAIL)).text
    .split('\n')
    .flatMap(line => read(line)?.split('\n') ?? [])
    .map(line => plainText(line).trimEnd().slice(0, LINE_LENGTH))
    .filter(line => line !== '')
    .slice(-LINES);
  return lines.length > 0 ? { of, lines } : null;
}
