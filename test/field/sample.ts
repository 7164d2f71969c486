/** What a sample repository is: small, of our own writing, and like those that people have. */

/** Text by path; null: the file is taken away. */
export type Files = Readonly<Record<string, string | null>>;

export interface Sample {
  readonly name: string;
  /** Why it cannot be tried on this machine. */
  readonly missing: string | null;
  readonly files: Files;
  /** A command by which the first commit gets its lockfile. */
  readonly lock?: string;
  /** What a person who works in their clone has run there. Default: the clone is fresh, without dependencies. */
  readonly worked?: string;
  /** Environment of the person's shell besides; `clone` is their checkout, `top` a folder beside it. */
  readonly shell?: (place: { clone: string; top: string; PATH: string }) => Record<string, string>;
  /** Where in the clone the person runs `dure`. */
  readonly directory?: string;
  readonly yarn?: 'berry' | 'classic';
  /** What an honest Builder writes. */
  readonly honest: Files;
  /** What a Builder who breaks behaviour that an old test holds writes besides; no test of the Verifier looks there. */
  readonly breaking: Files;
  /** What one who breaks a sibling package writes besides: the Verifier's test reaches it by the package's name. */
  readonly sibling?: Files;
  /** What the one who breaks does to the old test, so that it is silent. */
  readonly silenced: Readonly<Record<'edited' | 'skipped' | 'deleted', Files>>;
  /** An edit in the person's checkout that is not committed: with it neither the old nor the new tests pass. */
  readonly uncommitted: Files;
  readonly verifier: VerifierScript;
}

/** What the scripted Verifier goes by; the rest it takes from its prompt and from the project. */
export interface VerifierScript {
  /** How a command of the project's runner begins, as a regular expression. */
  readonly command: string;
  /** A test of the project, relative to the top of the repository. */
  readonly existing: string;
  /** What that test imports, as a regular expression with one group. */
  readonly imports: string;
  /** Where its own test stands, relative to the top of the repository. */
  readonly place: string;
  /** `{{import}}` stands for what the existing test imports. */
  readonly test: string;
}
