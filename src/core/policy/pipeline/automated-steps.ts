/**
 * The automated steps: those that Dure performs itself, without an agent. Apart from messages, this is the only
 * policy module that contains step, mode and folder names.
 */
import type { Step } from '../../../formats/state.ts';

type AutomatedStep = Exclude<Step, { yields: 'files' | 'tree' | 'tests' | 'verdict' }>;

/** Keyed by the name used in a pipeline's list of steps. */
export const AUTOMATED_STEPS: Readonly<Record<string, Pick<AutomatedStep, 'yields' | 'folder' | 'outputs'>>> =
  {
    prepare: { yields: 'setup', folder: 'builder', outputs: [] },
    execute: { yields: 'proof', folder: 'verifier', outputs: ['verifier/test-output.json'] },
    exam: { yields: 'exam', folder: 'verifier', outputs: ['verifier/exam.json'] },
    checks: { yields: 'checks', folder: 'verifier', outputs: ['verifier/checks.json'] },
  };

/** Other files that Dure writes in the automated steps, or that exist before the first step. */
export const AUTOMATED_STEP_FILES: Readonly<Record<string, AutomatedStep['yields'] | 'start'>> = {
  'briefing/raw.md': 'start',
  'briefing/refined.md': 'start',
  'builder/output': 'start',
  'verifier/test-output.json': 'proof',
  'verifier/test-log.txt': 'proof',
  'verifier/test-cases.json': 'proof',
  'verifier/exam.json': 'exam',
  'verifier/checks.json': 'checks',
  'verifier/checks-log.txt': 'checks',
};

/** Possible values of `mode` in state.json. */
export const MODE = { build: 'build', fix: 'fix' } as const;
