/** A proposed check of a project, and how a list of them is ordered and named. */

export interface CheckProposal {
  readonly name: string;
  readonly command: string;
  /** The evidence in the project that suggests this check. */
  readonly because: string;
}
