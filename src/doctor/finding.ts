/** One finding of `dure doctor`. */
import type { DureError } from '../errors.ts';
import type { CliWords } from '../words/cli/language.ts';

/** `problem`: a run would fail. `warning`: a run works, but something is missing. */
export type Status = 'ok' | 'warning' | 'problem';
/** What was seen, and how to fix it. */
type Said = readonly [seen: string, fix?: string];

export interface Finding {
  /** What was examined, such as `sandbox`, `claude` or `check:lint`. */
  readonly name: string;
  readonly status: Status;
  /** In the language of the catalogue. */
  readonly say: (words: CliWords) => Said;
}

type Found = CliWords['doctor']['found'];
type Say = (found: Found) => Said;

const finding =
  (status: Status) =>
  (name: string, say: Say): Finding => ({ name, status, say: ({ doctor }) => say(doctor.found) });

export const ok = finding('ok');
export const warning = finding('warning');
export const problem = finding('problem');

/** Turns an error that would end a run into a finding. */
export const failureFinding = (name: string, error: DureError): Finding => ({
  name,
  status: 'problem',
  say(words) {
    const { message, suggestions } = words.error(error);
    return [message, suggestions.join('\n')];
  },
});
