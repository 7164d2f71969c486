/** Runs an examination. An error that the user can fix becomes a finding; any other error is a bug and is thrown. */
import { DureError } from '../errors.ts';
import { type Finding, failureFinding } from './finding.ts';

export type ReportFinding = (finding: Finding) => void;

/** Returns null after such an error. */
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
