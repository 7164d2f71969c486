/** Translates refusals into Korean. Loaded only when a client prefers Korean. */
import { DureError } from '../../errors.ts';
import { koCli } from '../../words/cli/ko.ts';
import { koIssue } from '../../words/field-issues.ts';
import { type HttpRefusalCode, koHttpRefusals } from '../../words/ko-http-refusals.ts';
import type { Problem } from '../http-protocol.ts';
import { fieldsOf, HttpRefusal } from './http-refusal.ts';

/** `problem` is the English version. */
export function koreanRefusal(error: unknown, problem: Problem, root: string): Problem {
  if (error instanceof DureError) {
    const { message, suggestions } = koCli.error(error);
    return { ...problem, message: message.replaceAll(`${root}/`, ''), suggestions: [...suggestions] };
  }
  const [message, ...suggestions] = koHttpRefusals[problem.code as HttpRefusalCode];
  const invalid = error instanceof HttpRefusal ? error.invalid : undefined;
  return { ...problem, message, suggestions, ...(invalid && { fields: fieldsOf(invalid, koIssue) }) };
}
