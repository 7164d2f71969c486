/** The definition of a sample repository: small, written for these tests, and similar to real ones. */

/** Content by path; null removes the file. */
export type Files = Readonly<Record<string, string | null>>;

export interface Sample {
  readonly name: string;
  /** Why it cannot be tested on this machine. */
  readonly missing: string | null;
  readonly files: Files;
  /** Command that creates the lockfile of the first commit. */
  readonly lock?: string;
  /** Command that the user has run in the clone. Default: none, so the clone has no dependencies. */
  readonly worked?: string;
  /** Additions to the user's shell environment; `clone` is their working tree, `top` a folder next to it. */
  readonly shell?: (place: { clone: string; top: string; PATH: string }) => Record<string, string>;
  /** Folder of the clone in which the user runs `dure`. */
  readonly directory?: string;
  readonly yarn?: 'berry' | 'classic';
  /** Files of a correct change by the Builder. */
  readonly honest: Files;
  /** Additional files that break an existing test. None of the Verifier's tests cover them. */
  readonly breaking: Files;
  /** Additional files that break a sibling package, which the Verifier's test imports by name. */
  readonly sibling?: Files;
  /** Changes with which such a Builder silences the existing test. */
  readonly silenced: Readonly<Record<'edited' | 'skipped' | 'deleted', Files>>;
  /** An uncommitted edit in the user's working tree, with which neither the existing nor the new tests pass. */
  readonly uncommitted: Files;
  readonly verifier: VerifierScript;
}

/** Input of the scripted Verifier, which reads everything else from its prompt and the project. */
export interface VerifierScript {
  /** Regular expression that matches the start of the project's test command. */
  readonly command: string;
  /** An existing test of the project, relative to the root of the repository. */
  readonly existing: string;
  /** Regular expression for the import of that test, with one group. */
  readonly imports: string;
  /** Path of the Verifier's test, relative to the root of the repository. */
  readonly place: string;
  /** Content of that test. `{{import}}` is replaced by the import of the existing test. */
  readonly test: string;
}
