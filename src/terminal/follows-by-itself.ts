/** Whether `dure logs` goes on with what comes, when nobody said so. */
import { isWorkedOn } from '../core/phase.ts';

/** A person who looks on wants to see what happens; a pipe wants an end. */
export const followsByItself = ({ phase }: { phase: string }, json: boolean): boolean =>
  !json && process.stdout.isTTY === true && isWorkedOn(phase);
