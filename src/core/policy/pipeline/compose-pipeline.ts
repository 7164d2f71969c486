/**
 * Composes the steps of a run from plugins and configuration. The list is recorded in the first event and is complete:
 * later, only the prompt of a step comes from the plugin.
 */

import { asTyped, dureError } from '../../../errors.ts';
import type { Config } from '../../../formats/config/config.ts';
import type { AgentStep, Step } from '../../../formats/state.ts';
import type { AgentRole, Pipeline, RoleStep, Setting } from '../../../index.ts';
import { AUTOMATED_STEP_FILES, AUTOMATED_STEPS } from './automated-steps.ts';

export interface Composition {
  readonly roles: readonly AgentRole[];
  readonly pipelines: readonly Pipeline[];
  readonly config: Config;
  readonly name: string;
}

interface AvailableStep {
  readonly role: AgentRole;
  readonly step: RoleStep;
}

/** Throws `E_PIPELINE` if no pipeline has this name or its steps are not valid. */
export function composePipeline({ roles, pipelines, config, name }: Composition): Step[] {
  const refuse = (problem: string): never => {
    throw dureError('E_PIPELINE', { pipeline: asTyped(name), problem });
  };
  const available = roles.flatMap(role =>
    role.steps.filter(step => takesPart(step, config)).map(step => ({ role, step })),
  );
  const configured = config.global.pipelines[name];
  const contributed = pipelines.find(pipeline => pipeline.name === name);
  const known = [...pipelines.map(one => one.name), ...Object.keys(config.global.pipelines)].join(', ');
  const listed = configured ?? contributed?.steps ?? refuse(`no pipeline has this name (known: ${known})`);
  const agents = listed.flatMap((step): ListedStep[] => {
    const found = available.find(one => one.step.name === step);
    if (found) return [stepOfRole(found, config)];
    if (step in AUTOMATED_STEPS) return [step];
    // A plugin's pipeline may list a step that is missing because a role was replaced or a setting disabled it.
    return configured ? refuse(`no role has a step named ${step}`) : [];
  });
  const steps = placeAutomatedSteps(configured ? agents : join(agents, available, config), config);
  const problem = problemOf(steps);
  return problem === null ? steps.map(step => withAvailableReads(step, steps)) : refuse(problem);
}

const settingOf = (config: Config, path: string): unknown =>
  path.split('.').reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], config);

const takesPart = ({ when }: RoleStep, config: Config): boolean =>
  when === undefined || settingOf(config, when.setting) === when.is;

const limitOf = (value: Setting<number>, config: Config): number =>
  typeof value === 'number' ? value : Number(settingOf(config, value.setting));

const roleFolder = (role: AgentRole): string => role.folder ?? role.name;

/** Outputs that a step must write, keyed by the kind of step. */
const REQUIRED: Partial<Record<AgentStep['yields'], readonly string[]>> = {
  tests: ['test-config.json', 'tests'],
  verdict: ['verdict.json'],
};

function stepOfRole({ role, step }: AvailableStep, config: Config): AgentStep {
  const { name, phase = name, yields = 'files', asks } = step;
  const folder = roleFolder(role);
  const required = (REQUIRED[yields] ?? []).map(file => `${folder}/${file}`);
  const files = (optional: boolean) =>
    step.outputs.filter(output => (output.optional ?? false) === optional).map(output => output.file);
  const outputs = [...new Set([...required, ...files(false)])];
  return {
    name,
    phase,
    role: role.name,
    folder,
    yields,
    flag: step.flag ?? `${folder}/${yields === 'verdict' ? 'verdict.json' : 'done.flag'}`,
    outputs,
    optional: files(true).filter(file => !outputs.includes(file)),
    reads: (step.reads ?? []).map(({ file }) => file),
    ...(asks !== undefined && { asks: limitOf(asks, config) }),
    clears: [...(step.clears ?? outputs.filter(file => file !== `${folder}/tests`))],
  };
}

type ListedStep = AgentStep | string;
const nameOf = (step: ListedStep): string => (typeof step === 'string' ? step : step.name);

/** Inserts the steps that declare `before` or `after`. The result does not depend on plugin order. */
function join(
  listed: readonly ListedStep[],
  available: readonly AvailableStep[],
  config: Config,
): ListedStep[] {
  let steps = [...listed];
  /** Maps the name of each inserted step to its `after` value; the next step with that value goes after it. */
  const placed = new Map<string, string>();
  let remaining = available.filter(({ step }) => !steps.some(one => nameOf(one) === step.name));
  for (;;) {
    const next = remaining.find(({ step }) => placeOf(step, steps, placed) !== null);
    if (!next) return steps;
    steps = steps.toSpliced(placeOf(next.step, steps, placed)!, 0, stepOfRole(next, config));
    if (next.step.after !== undefined) placed.set(next.step.name, next.step.after);
    remaining = remaining.filter(one => one !== next);
  }
}

function placeOf(
  { before, after }: RoleStep,
  steps: readonly ListedStep[],
  placed: ReadonlyMap<string, string>,
): number | null {
  const isAt = (place: string) => (step: ListedStep) =>
    nameOf(step) === place || (typeof step !== 'string' && step.phase === place);
  if (before !== undefined) {
    const place = steps.findIndex(isAt(before));
    return place < 0 ? null : place;
  }
  if (after === undefined || !steps.some(isAt(after))) return null;
  const next = steps.findLastIndex(step => isAt(after)(step) || placed.get(nameOf(step)) === after) + 1;
  // A step placed after a phase also goes after Dure's own steps that follow that phase.
  const isPhase = !steps.some(step => nameOf(step) === after);
  const behind = isPhase ? steps.slice(next).findIndex(step => typeof step !== 'string') : 0;
  return behind < 0 ? steps.length : next + behind;
}

/**
 * Inserts set-up and checks if they are not listed, and removes those of Dure's own steps that the settings disable.
 * Each of Dure's own steps takes the role and the phase of the first agent step that yields tests or, if there is none,
 * of the first that yields a tree. Set-up instead takes the role of the first step that yields a tree, and the phase
 * of the first agent step.
 */
function placeAutomatedSteps(listed: readonly ListedStep[], config: Config): Step[] {
  const { workspace, checks, proof } = config.global;
  const enabled: Readonly<Record<string, boolean>> = {
    setup: workspace.setup !== null || workspace.copy.length > 0,
    checks: checks.length > 0,
    proof: true,
    exam: proof.exam,
  };
  const named = (yields: string) =>
    Object.keys(AUTOMATED_STEPS).find(name => AUTOMATED_STEPS[name]!.yields === yields)!;
  const agents = listed.filter(step => typeof step !== 'string');
  const yielding = (yields: Step['yields']) => agents.find(step => step.yields === yields);
  const last = (yields: string) => listed.findLastIndex(step => nameOf(step) === named(yields));
  let all = [...listed];
  if (last('checks') < 0) {
    const tree = all.findLastIndex(step => typeof step !== 'string' && step.yields === 'tree');
    all = all.toSpliced(Math.max(last('proof'), tree) + 1, 0, named('checks'));
  }
  if (last('setup') < 0) all = [named('setup'), ...all];
  return all.flatMap((step): Step[] => {
    if (typeof step !== 'string') return [step];
    const automated = AUTOMATED_STEPS[step]!;
    const [first] = agents;
    const owner = (automated.yields === 'setup' ? null : yielding('tests')) ?? yielding('tree') ?? first;
    if (!owner || !enabled[automated.yields]) return [];
    const phase = automated.yields === 'setup' ? first!.phase : owner.phase;
    return [{ ...automated, outputs: [...automated.outputs], name: step, phase, role: owner.role }];
  });
}

/** Returns why a list of steps is not a valid pipeline, as a message for the user, or null if it is valid. */
function problemOf(steps: readonly Step[]): string | null {
  const twice = steps.find((step, i) => steps.findIndex(one => one.name === step.name) !== i);
  if (twice) return `step ${twice.name} is listed twice`;
  const places = (yields: Step['yields']) => steps.flatMap((step, i) => (step.yields === yields ? [i] : []));
  const [trees, tests, proofs, verdicts] = [
    places('tree'),
    places('tests'),
    places('proof'),
    places('verdict'),
  ];
  if (trees.length === 0) return 'no step yields a tree, so there is nothing to merge';
  for (const [what, found] of [
    ['tests', tests],
    ['a proof', proofs],
    ['a verdict', verdicts],
  ] as const)
    if (found.length > 1) return `more than one step yields ${what}`;
  const [lastTree, test, proof, verdict] = [trees.at(-1)!, tests[0], proofs[0], verdicts[0]];
  if (test !== undefined && test < lastTree) return 'a step that yields a tree comes after the tests';
  if (proof !== undefined && (test === undefined || proof < test))
    return `step ${steps[proof]!.name} has no tests to run: a step that yields tests must come before it`;
  const exam = places('exam')[0];
  if (exam !== undefined && (proof === undefined || exam < proof))
    return `step ${steps[exam]!.name} examines tests that Dure has run: a step that runs them (execute) must come before it`;
  if (verdict !== undefined && verdict < steps.length - 1)
    return `step ${steps[verdict + 1]!.name} comes after the verdict, which ends the pipeline`;
  const check = places('checks')[0];
  if (check !== undefined && check < lastTree) return 'the checks come before a step that yields a tree';
  return null;
}

/** Removes from `reads` the files that no step of this pipeline writes. */
function withAvailableReads(step: Step, steps: readonly Step[]): Step {
  if (!('reads' in step)) return step;
  const folders = steps.map(one => `${one.folder}/`);
  const isAvailable = (file: string) => {
    const writer = AUTOMATED_STEP_FILES[file];
    return writer === undefined
      ? folders.some(folder => file.startsWith(folder))
      : writer === 'start' || steps.some(one => one.yields === writer);
  };
  return { ...step, reads: step.reads.filter(isAvailable) };
}
