/** The values from which a prompt is generated. */
import type { Config } from '../../formats/config/config.ts';
import type { Crp, Decision, Vcr } from '../../formats/crp-and-vcr.ts';
import type { RunFiles } from '../../formats/layout.ts';
import type { Feedback } from '../../formats/requests-and-feedback.ts';
import type { AgentStep, ConflictedFile, RunState } from '../../formats/state.ts';
import type { AgentRole } from '../../index.ts';
import type { RecordedRule } from '../../workspace/rules/read-recorded-rules.ts';

/** A conflicting file with its text in the worktree; `text` is null if the file is not there. */
export interface Conflict extends ConflictedFile {
  readonly text: string | null;
}

export interface PromptSources {
  readonly role: AgentRole;
  /** The role's own instructions. */
  readonly instructions: string;
  readonly step: AgentStep;
  readonly state: RunState;
  readonly config: Config;
  readonly files: RunFiles;
  /** The rules for agents that the team has committed. */
  readonly rules: readonly RecordedRule[];
  /** Standing decisions of the project. */
  readonly decisions: readonly Decision[];
  /** Answered questions of this run, in order. */
  readonly answers: readonly { readonly crp: Crp; readonly vcr: Vcr }[];
  /** The review from the role that gave the verdict, if the verdict sent the work back. */
  readonly review: { readonly by: string; readonly file: string; readonly text: string } | null;
  readonly feedback: Feedback | null;
  /** The files that conflict with a new base, for the step that resolves them. */
  readonly conflicts: readonly Conflict[];
  /** The allowed verdicts. */
  readonly verdicts: readonly string[];
  /** Whether the agent has the tool `consult_human`. */
  readonly canConsult: boolean;
}
