/** The steps of a run in order, as data. */

import type { RunState, Setup, Step } from '../formats/state.ts';
import type { AgentRole } from '../index.ts';

export const PROOF_STEP = 'execute';

/** A built-in role may take several steps: the Verifier writes tests, Dure runs them, the Verifier reads the result. */
const BUILT_IN: readonly Step[] = [
  {
    name: 'refine',
    phase: 'refine',
    role: 'refiner',
    kind: 'agent',
    folder: 'briefing',
    flag: 'briefing/done.flag',
    outputs: ['briefing/refined.md'],
  },
  {
    name: 'build',
    phase: 'build',
    role: 'builder',
    kind: 'agent',
    folder: 'builder',
    flag: 'builder/done.flag',
    outputs: [],
  },
  {
    name: 'generate',
    phase: 'verify',
    role: 'verifier',
    kind: 'agent',
    folder: 'verifier',
    flag: 'verifier/tests-ready.flag',
    outputs: ['verifier/test-config.json', 'verifier/tests'],
  },
  {
    name: PROOF_STEP,
    phase: 'verify',
    role: 'verifier',
    kind: 'proof',
    folder: 'verifier',
    outputs: ['verifier/test-output.json'],
  },
  {
    name: 'analyse',
    phase: 'verify',
    role: 'verifier',
    kind: 'agent',
    folder: 'verifier',
    flag: 'verifier/done.flag',
    outputs: ['verifier/results.json'],
  },
  {
    name: 'gate',
    phase: 'gate',
    role: 'gatekeeper',
    kind: 'agent',
    folder: 'gatekeeper',
    flag: 'gatekeeper/verdict.json',
    outputs: ['gatekeeper/verdict.json'],
  },
];

/** The project's own checks, on the same result as the tests and before anyone reads what these say. */
const CHECKS: Step = {
  name: 'checks',
  phase: 'verify',
  role: 'verifier',
  kind: 'checks',
  folder: 'verifier',
  outputs: ['verifier/checks.json'],
};

/** The worktree is prepared once, before any agent is paid. */
const PREPARE: Step = {
  name: 'prepare',
  phase: 'refine',
  role: 'builder',
  kind: 'setup',
  folder: 'builder',
  outputs: [],
};

/** Without the external runner the Verifier does all in one session; Dure still runs the tests after it. */
const LEGACY: readonly Step[] = BUILT_IN.flatMap(step =>
  step.name === 'generate'
    ? [{ ...step, flag: 'verifier/done.flag', outputs: [...step.outputs, 'verifier/results.json'] }]
    : step.name === 'analyse'
      ? []
      : [step],
);

/**
 * Puts a plugin's role before the first step of the phase it names, or behind the last one and behind roles that came
 * there before it. Throws `RangeError` for a phase that is not there.
 */
function splice(steps: readonly Step[], role: AgentRole, placed: ReadonlyMap<string, string>): Step[] {
  const { before, after = 'verify' } = role;
  const place =
    before === undefined
      ? steps.findLastIndex(step => step.phase === after || placed.get(step.name) === after) + 1
      : steps.findIndex(step => step.phase === before);
  if (before === undefined ? place === 0 : place < 0)
    throw new RangeError(`role ${role.name} names ${before ?? after}, which is no phase of this run`);
  if (before === undefined && after === 'gate')
    throw new RangeError(`role ${role.name} cannot come after gate: the verdict ends the pipeline`);
  const folder = role.folder ?? role.name;
  const added: Step = {
    name: role.phase,
    phase: role.phase,
    role: role.name,
    kind: 'agent',
    folder,
    flag: `${folder}/done.flag`,
    outputs: role.output.map(o => o.file),
  };
  return steps.toSpliced(place, 0, added);
}

export interface Shape {
  /** Dure runs the tests between the Verifier's two phases. */
  readonly external: boolean;
  /** The worktree has to be prepared. */
  readonly prepared: boolean;
  /** The project has checks of its own. Default: it has none. */
  readonly checked?: boolean;
  readonly extra: readonly AgentRole[];
}

export function pipelineOf({ external, prepared, checked = false, extra }: Shape): Step[] {
  const placed = new Map<string, string>();
  let steps: readonly Step[] = (external ? BUILT_IN : LEGACY).flatMap(step =>
    checked && step.kind === 'proof' ? [step, CHECKS] : [step],
  );
  for (const role of extra) {
    steps = splice(steps, role, placed);
    if (role.before === undefined) placed.set(role.phase, role.after ?? 'verify');
  }
  return prepared ? [{ ...PREPARE, phase: steps[0]!.phase }, ...steps] : [...steps];
}

export const stepOf = (setup: Setup, name: string): Step => {
  const found = setup.pipeline.find(step => step.name === name);
  if (!found) throw new RangeError(`no step ${name} in this pipeline`);
  return found;
};

export const currentStep = (s: RunState): Step => stepOf(s.setup, s.step ?? s.setup.pipeline[0]!.name);

export const stepAfter = (setup: Setup, name: string): Step | null =>
  setup.pipeline[setup.pipeline.findIndex(step => step.name === name) + 1] ?? null;

/** The step that wrote the tests which the proof step runs. */
export const stepBeforeProof = (setup: Setup): Step =>
  setup.pipeline[setup.pipeline.findIndex(step => step.name === PROOF_STEP) - 1]!;

/** The step in which Dure runs the tests. */
export const proofStep = (setup: Setup): Step => setup.pipeline.find(step => step.kind === 'proof')!;

/** Milliseconds a step may take: an agent's by its role, Dure's own by their kind. */
export const timeoutOf = ({ timeouts, checks }: Setup, step: Step): number =>
  step.kind === 'checks'
    ? checks.reduce((sum, check) => sum + MOST_RUNS * (check.timeout_ms + SET_UP_MS), 0)
    : (timeouts[step.kind === 'agent' ? step.role : step.kind] ?? 300_000);

/** Of one check: twice on the result, on base and with the tests of base; each limits itself, and is set up anew. */
const MOST_RUNS = 6;
const SET_UP_MS = 900_000;

/** Phases in order, each once. */
export const phasesOf = (setup: Setup): string[] => [...new Set(setup.pipeline.map(step => step.phase))];
export const rolesOf = (setup: Setup): string[] => [...new Set(setup.pipeline.map(step => step.role))];
