/** How the steps of a run are composed from plugins and the configuration. */
import { describe, expect, test } from 'vitest';
import { defaultConfig } from '../../src/formats/config/config.ts';
import type { AgentRole, RoleStep } from '../../src/index.ts';
import { builtInPipeline, configWith, type Wanted } from '../helpers/built-in-pipeline.ts';

const names = (wanted?: Wanted) => builtInPipeline(wanted).map(step => step.name);

const roleWith = (name: string, step: Partial<RoleStep> = {}): AgentRole => ({
  name,
  steps: [{ name, outputs: [{ file: `${name}/report.md`, about: 'a report' }], ...step }],
  prompt: () => 'Work.',
});

/** A pipeline from the project's configuration. */
function own(steps: string[], roles: AgentRole[] = []): Wanted {
  const config = defaultConfig();
  config.global.pipelines = { own: steps };
  return { config, name: 'own', roles };
}

describe('the built-in pipelines', () => {
  test('full contains every step of the four roles', () => {
    expect(names()).toEqual(['refine', 'build', 'generate', 'execute', 'exam', 'analyse', 'gate']);
  });

  test('quick has no step to refine the briefing or to analyse the results', () => {
    expect(names({ name: 'quick' })).toEqual(['build', 'generate', 'execute', 'gate']);
  });

  test("both prepare the worktree first and run the project's checks, if there are any, after the tests", () => {
    const config = configWith({ setup: true, checks: true });
    expect(names({ config })).toEqual([
      ...['prepare', 'refine', 'build', 'generate', 'execute', 'checks', 'exam', 'analyse', 'gate'],
    ]);
    expect(names({ config, name: 'quick' })).toEqual([
      ...['prepare', 'build', 'generate', 'execute', 'checks', 'gate'],
    ]);
  });

  test('a step reads only files that another step in the same pipeline writes', () => {
    const reads = (name: string) => {
      const step = builtInPipeline({ name }).find(one => one.name === 'build')!;
      return 'reads' in step ? step.reads : [];
    };
    expect(reads('full')).toContain('briefing/clarifications.json');
    expect(reads('quick')).not.toContain('briefing/clarifications.json');
    expect(reads('quick')).toContain('briefing/refined.md');
  });

  test('without the external runner, one session writes the tests and reads their results', () => {
    const steps = builtInPipeline({ config: configWith({ external: false }) });
    expect(steps.map(step => step.name)).toEqual(['refine', 'build', 'generate', 'execute', 'exam', 'gate']);
    expect(steps[2]).toMatchObject({ flag: 'verifier/done.flag', yields: 'tests' });
    expect(steps[2]!.outputs).toContain('verifier/results.json');
  });
});

describe("a plugin's role", () => {
  test('is inserted into each built-in pipeline that has the step it refers to', () => {
    const roles = [roleWith('scout', { before: 'refine' }), roleWith('audit', { after: 'verify' })];
    expect(names({ roles })).toEqual([
      ...['scout', 'refine', 'build', 'generate', 'execute', 'exam', 'analyse', 'audit', 'gate'],
    ]);
    expect(names({ roles, name: 'quick' })).toEqual(['build', 'generate', 'execute', 'audit', 'gate']);
  });

  test('is part of a configured pipeline only if it is listed', () => {
    const roles = [roleWith('audit', { after: 'verify' })];
    expect(names(own(['build', 'generate', 'execute', 'gate'], roles))).not.toContain('audit');
    expect(names(own(['build', 'generate', 'execute', 'audit', 'gate'], roles))).toContain('audit');
  });

  test("a step that no role has is left out of a plugin's pipeline", () => {
    const tests = roleWith('prover', { name: 'generate', yields: 'tests' });
    const steps = builtInPipeline({
      pipelines: [{ name: 'more', about: 'x', steps: ['build', 'nothing'] }],
      name: 'more',
      roles: [tests],
    });
    expect(steps.map(step => step.name)).toEqual(['build']);
  });

  test('gets the outputs that its kind of step requires', () => {
    const roles = [roleWith('judge', { yields: 'verdict' }), roleWith('prover', { yields: 'tests' })];
    const steps = builtInPipeline(own(['build', 'prover', 'execute', 'judge'], roles));
    expect(steps[1]).toMatchObject({
      outputs: ['prover/test-config.json', 'prover/tests', 'prover/report.md'],
      clears: ['prover/test-config.json', 'prover/report.md'],
      flag: 'prover/done.flag',
    });
    expect(steps[2]).toMatchObject({ yields: 'proof', role: 'prover', phase: 'prover' });
    expect(steps[3]).toMatchObject({
      outputs: ['judge/verdict.json', 'judge/report.md'],
      flag: 'judge/verdict.json',
    });
  });
});

describe('an invalid pipeline is rejected', () => {
  const tree = roleWith('document', { yields: 'tree' });
  test.each<[string, Wanted, RegExp]>([
    ['an unknown name', { name: 'none' }, /no pipeline has this name \(known: full, quick\)/],
    ['an unknown step', own(['build', 'dance']), /no role has a step named dance/],
    ['a step that is listed twice', own(['build', 'build']), /step build is listed twice/],
    ['no step that yields a tree', own(['refine', 'gate']), /no step yields a tree/],
    [
      'tests before the last tree',
      own(['build', 'generate', 'document', 'execute'], [tree]),
      /comes after the tests/,
    ],
    [
      'an exam before the proof',
      own(['build', 'generate', 'exam', 'execute']),
      /a step that runs them \(execute\) must come before it/,
    ],
    ['a proof without tests', own(['build', 'execute', 'gate']), /step execute has no tests to run/],
    ['a step after the verdict', own(['build', 'gate', 'refine']), /step refine comes after the verdict/],
    ['checks before the tree', { ...own(['checks', 'build']), config: checkedFirst() }, /checks come before/],
  ])('%s', (_, wanted, problem) => {
    expect(() => builtInPipeline(wanted)).toThrow(
      expect.objectContaining({ code: 'E_PIPELINE', message: expect.stringMatching(problem) }),
    );
  });

  function checkedFirst() {
    const config = configWith({ checks: true });
    config.global.pipelines = { own: ['checks', 'build'] };
    return config;
  }
});
