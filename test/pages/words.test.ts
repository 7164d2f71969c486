import { describe, expect, it } from 'vitest';
import { PROOF_STEP } from '../../src/core/pipeline.ts';
import { ERROR_KINDS } from '../../src/formats/config.ts';
import { runEvent } from '../../src/formats/events.ts';
import { ROLES } from '../../src/formats/layout.ts';
import { en } from '../../src/words/en.ts';
import { ko } from '../../src/words/ko.ts';

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
const TYPES = runEvent.options.map(option => option.shape.type.value);

describe.each([
  ['en', en],
  ['ko', ko],
] as const)('the words of %s', (_, words) => {
  it.each(TYPES)('name the event %s', type => expect(words.event(type)).not.toBe(type));
  it.each(PHASES)('name the phase %s', phase => expect(words.phase(phase)).not.toBe(phase));
  it.each(ROLES)('name the role %s', role => expect(words.role(role)).not.toBe(role));
  it('name the steps that say more than their phase', () => {
    expect(words.step(PROOF_STEP)).not.toBeNull();
    expect(words.step('build')).toBeNull();
  });
  it('take a name they do not know as it is', () => {
    expect([words.phase('security'), words.role('auditor'), words.event('plugin.said')]).toEqual([
      'security',
      'auditor',
      'plugin.said',
    ]);
  });
});

it('Korean has a name of its own for every way in which a launch ends or fails', () => {
  const exited = runEvent.options.find(option => option.shape.type.value === 'agent.exited')!;
  const { outcome } = exited.shape as { outcome: { options: string[] } };
  expect(outcome.options.filter(id => ko.outcome(id) === id)).toEqual([]);
  expect(ERROR_KINDS.filter(kind => ko.failure(kind) === kind)).toEqual([]);
});

it('Korean says everything in its own words', () => {
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
