/** Defines the edit that plants a fault. */
import type { Edit } from '../syntax/text-edits.ts';

export interface FaultEdit extends Edit {
  /** Describes the new code for people. If absent, the new code itself is shown. */
  readonly shown?: string;
  /** The part of the old code that is shown to people as replaced. If absent, all of it is. */
  readonly replaced?: { readonly from: number; readonly to: number };
  /** Adds to the code the helper that the edit calls. */
  readonly uses?: (code: string) => string;
  /** Set if the edit gives an exported name another value; see `faultsInExports`. */
  readonly isExport?: true;
  /** Set if the edit gives a member another value: the edit that removes the member. */
  readonly absent?: Edit;
  /**
   * Set if the code may run only for its side effects, without its value being used. `value`: the edit that drops only
   * the value; `code`: the edit that drops the code too.
   */
  readonly dropped?: { readonly value: Edit; readonly code: Edit };
}
