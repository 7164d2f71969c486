import { describe, expect, it } from 'vitest';
import { AUTOMATED_STEPS } from '../../src/core/policy/pipeline/automated-steps.ts';
import { ROLES } from '../../src/formats/layout.ts';
import { askReason } from '../../src/formats/question-reasons-and-effects.ts';
import { en } from '../../src/words/pages/en.ts';
import { ko } from '../../src/words/pages/ko.ts';

const PHASES = [
  'refine',
  'build',
  'verify',
  'gate',
  'waiting_human',
  'ready_for_merge',
  'completed',
  'failed',
  'stopped',
  'interrupted',
];

describe.each([
  ['en', en],
  ['ko', ko],
] as const)('the %s catalogue', (_, words) => {
  it.each(PHASES)('names the phase %s', phase => expect(words.phase(phase)).not.toBe(phase));
  it.each(ROLES)('names the role %s', role => expect(words.role(role)).not.toBe(role));
  it('names the kinds of questions that agents and Dure itself ask', () => {
    for (const kind of [...askReason.options, 'clarification', 'architecture', 'security', 'dependency'])
      expect(words.why(kind), kind).not.toBe(kind);
  });
  it('labels each step whose name says more than the name of its phase', () => {
    for (const name of Object.keys(AUTOMATED_STEPS)) expect(words.step(name), name).not.toBeNull();
    expect(words.step('build')).toBeNull();
  });
  it('returns an unknown name unchanged', () => {
    expect([words.phase('security'), words.role('auditor')]).toEqual(['security', 'auditor']);
  });
});

it('the Korean catalogue contains no English', () => {
  const texts = (of: object, path = ''): [string, string][] =>
    Object.entries(of).flatMap(([key, value]) =>
      typeof value === 'string'
        ? [[`${path}${key}`, value]]
        : value !== null && typeof value === 'object'
          ? texts(value, `${path}${key}.`)
          : [],
    );
  const same = texts(ko).filter(([path, text]) =>
    texts(en).some(([other, said]) => other === path && said === text),
  );
  expect(same).toEqual([]);
});
