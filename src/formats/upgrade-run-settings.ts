/**
 * Reads the setup recorded by earlier versions of Dure. Their steps had a `kind` instead of `yields`, and the core
 * derived the rest from the step's name. Only existing files need this; new settings are not added here.
 */

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const YIELDS: Readonly<Record<string, string>> = { build: 'tree', generate: 'tests', gate: 'verdict' };

const CLEARS: Readonly<Record<string, readonly string[]>> = {
  generate: [
    'verifier/test-config.json',
    'verifier/test-output.json',
    'verifier/test-log.txt',
    'verifier/results.json',
  ],
  gate: ['gatekeeper/review.md', 'gatekeeper/verdict.json'],
};

export function upgradeSetup(setup: unknown): unknown {
  if (!isFields(setup) || !Array.isArray(setup['pipeline']) || 'pipeline_name' in setup) return setup;
  const { max_refinements, ...kept } = setup;
  return {
    checks: [],
    checkout: { directory: '.', copy: [], network: false },
    ...kept,
    pipeline_name: 'full',
    pipeline: setup['pipeline'].map(step => (isFields(step) ? upgradeStep(step, max_refinements) : step)),
  };
}

function upgradeStep({ kind, ...step }: Fields, asks: unknown): Fields {
  if (kind === undefined) return step;
  if (kind !== 'agent') return { ...step, yields: kind };
  const name = String(step['name']);
  return {
    ...step,
    yields: YIELDS[name] ?? 'files',
    optional: [],
    reads: [],
    ...(step['phase'] === 'refine' && asks !== undefined && { asks }),
    clears: CLEARS[name] ?? step['outputs'],
  };
}

/**
 * The outcome of a verdict that starts a new iteration used to be named after the step at which that iteration
 * starts.
 */
export const upgradeNext = (next: unknown): unknown => (next === 'build' ? 'rework' : next);
