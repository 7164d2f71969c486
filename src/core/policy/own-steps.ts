/**
 * The three steps that Dure takes itself. Pure. This is the only module of the core with names of steps, modes and
 * folders: they are those of the specified files.
 */
import type { Step } from '../../formats/state.ts';

type OwnStep = Exclude<Step, { yields: 'files' | 'tree' | 'tests' | 'verdict' }>;

/** By the names under which a pipeline lists them. */
export const OWN_STEPS: Readonly<Record<string, Pick<OwnStep, 'yields' | 'folder' | 'outputs'>>> = {
  prepare: { yields: 'setup', folder: 'builder', outputs: [] },
  execute: { yields: 'proof', folder: 'verifier', outputs: ['verifier/test-output.json'] },
  checks: { yields: 'checks', folder: 'verifier', outputs: ['verifier/checks.json'] },
};

/** Files beside their outputs that Dure writes there, or that are in the run before its first step. */
export const OWN_FILES: Readonly<Record<string, OwnStep['yields'] | 'start'>> = {
  'briefing/raw.md': 'start',
  'briefing/refined.md': 'start',
  'builder/output': 'start',
  'verifier/test-output.json': 'proof',
  'verifier/test-log.txt': 'proof',
  'verifier/checks.json': 'checks',
  'verifier/checks-log.txt': 'checks',
};

/** Values of `mode` in state.json. */
export const MODE = { build: 'build', fix: 'fix' } as const;
