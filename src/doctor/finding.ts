/** A finding of `dure doctor`: what an examination found, or the error that ended it. */
import { DureError } from '../errors.ts';
import type { CliWords } from '../words/cli/load-language.ts';

/** `problem`: a run would fail. `warning`: a run would work, but something is missing. */
export type Status = 'ok' | 'warning' | 'problem';
/** What was seen, and how to fix it. */
type FindingText = readonly [seen: string, fix?: string];

export interface Finding {
  /** What was examined, such as `sandbox`, `claude` or `check:lint`. */
  readonly name: string;
  readonly status: Status;
  /** Describes the finding in the language of `words`. */
  readonly describe: (words: CliWords) => FindingText;
}

type Found = CliWords['doctor']['found'];
type Describe = (found: Found) => FindingText;

const finding =
  (status: Status) =>
  (name: string, describe: Describe): Finding => ({
    name,
    status,
    describe: ({ doctor }) => describe(doctor.found),
  });

export const ok = finding('ok');
export const warning = finding('warning');
export const problem = finding('problem');

export type ReportFinding = (finding: Finding) => void;

/**
 * Runs an examination. An error that the user can fix becomes a finding, and the result is null; any other error is a
 * bug and is thrown.
 */
export async function attempt<T>(
  name: string,
  report: ReportFinding,
  work: () => T | Promise<T>,
): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof DureError)) throw error;
    report(failureFinding(name, error));
    return null;
  }
}

const failureFinding = (name: string, error: DureError): Finding => ({
  name,
  status: 'problem',
  describe(words) {
    const { message, suggestions } = words.error(error);
    return [message, suggestions.join('\n')];
  },
});
