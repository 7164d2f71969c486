import { expect, test } from 'vitest';
import { fill } from '../../plugins/built-in-roles/src/fill-template.ts';

test('inserts values and lists into a template and applies its conditions', () => {
  const template =
    'A {{a.b}} and {{list}}.\n{{?yes}}- on {{a.b}}\n{{!yes}}- off\n{{?empty}}- gone\n{{!empty}}- none\n';
  expect(fill(template, { a: { b: 5 }, list: ['x', 'y'], yes: true, empty: [] })).toBe(
    'A 5 and "x", "y".\n- on 5\n- none',
  );
});

test('an unknown key is an error, even as a condition', () => {
  expect(() => fill('{{a.c}}', { a: { b: 1 } })).toThrow('a.c');
  expect(() => fill('{{?nothing}}x', {})).toThrow('nothing');
});

test('a value stays on one line and is not parsed as a template', () => {
  expect(fill('- {{a}}', { a: 'one\n# two {{b}}' })).toBe('- one # two {{b}}');
});
