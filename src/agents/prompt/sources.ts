/** All that a prompt is made from. */
import type { Config } from '../../formats/config.ts';
import type { Crp, Decision, Vcr } from '../../formats/consultation.ts';
import type { RunFiles } from '../../formats/layout.ts';
import type { AgentStep, RunState } from '../../formats/state.ts';
import type { Feedback } from '../../formats/wish.ts';
import type { AgentRole } from '../../index.ts';

export interface PromptSources {
  readonly role: AgentRole;
  readonly step: AgentStep;
  readonly state: RunState;
  readonly config: Config;
  readonly files: RunFiles;
  /** Standing decisions of the project. */
  readonly decisions: readonly Decision[];
  /** Questions of this run that were answered, in order. */
  readonly answers: readonly { readonly crp: Crp; readonly vcr: Vcr }[];
  /** Text of review.md, when a verdict has sent the work back. */
  readonly review: string | null;
  readonly feedback: Feedback | null;
  /** The agent has the tool consult_human. */
  readonly canConsult: boolean;
}
