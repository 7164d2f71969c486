/** A proposed check of a project. */

export interface CheckProposal {
  readonly name: string;
  readonly command: string;
  /** The evidence in the project that suggests this check. */
  readonly because: string;
}
