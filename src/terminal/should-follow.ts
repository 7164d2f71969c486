/** Whether `dure logs` follows without an explicit flag. */
import { isWorkedOn } from '../core/policy/phase.ts';

/** A terminal follows an active run; a pipe must end. */
export const shouldFollow = ({ phase }: { phase: string }, json: boolean): boolean =>
  !json && process.stdout.isTTY === true && isWorkedOn(phase);
