import { describe, expect, test } from 'vitest';
import { criteriaIn } from '../../src/core/policy/criteria/criterion-tags.ts';
import { parseCriteria } from '../../src/formats/exam/parse-acceptance-criteria.ts';

const section = (lines: string) => parseCriteria(`# Refined\n\n## Acceptance criteria\n${lines}\n`);

describe('the acceptance criteria of a briefing', () => {
  test('have an id, a kind and a text', () => {
    expect(
      section(
        '- AC-1: `slugify("")` gives `""`.\n- AC-2 (keeps): As before.\n\n- AC-3 (look): The README\n  explains it.',
      ),
    ).toEqual({
      list: [
        { id: 'AC-1', kind: 'behaviour', text: '`slugify("")` gives `""`.' },
        { id: 'AC-2', kind: 'keeps', text: 'As before.' },
        { id: 'AC-3', kind: 'look', text: 'The README explains it.' },
      ],
    });
  });

  test('end at the next heading, and a heading in a code block does not count', () => {
    const text =
      '```\n## Acceptance criteria\n- wrong\n```\n## Acceptance Criteria\n- AC-1: a\n## Notes\n- not one\n';
    expect(parseCriteria(text)).toEqual({ list: [{ id: 'AC-1', kind: 'behaviour', text: 'a' }] });
    expect(parseCriteria(text.replaceAll('\n', '\r\n'))).toEqual(parseCriteria(text));
  });

  test('are null if their section is missing', () => {
    expect(parseCriteria('# Refined\n\n- AC-1: a\n')).toBeNull();
  });

  test.each([
    ['- AC-2: a', 4, 'expected AC-1, found AC-2'],
    ['- AC-1: a\n- AC-1: b', 5, 'expected AC-2, found AC-1'],
    ['- AC-1: a\n- AC-3: b', 5, 'expected AC-2, found AC-3'],
    ['- AC-1 (never): a', 4, 'expected `- AC-1: TEXT`'],
    ['- AC-1 a', 4, 'expected `- AC-1: TEXT`'],
    ['* AC-1: a', 4, 'expected `- AC-1: TEXT`'],
    ['- AC-01: a', 4, 'expected `- AC-1: TEXT`'],
    ['- AC-1: ', 4, 'expected `- AC-1: TEXT`'],
    ['- AC-1: a\nmore', 5, 'indented by two spaces'],
    ['  more\n- AC-1: a', 4, 'indented by two spaces'],
    ['### Part\n- AC-1: a', 4, 'expected `- AC-1: TEXT`'],
    ['', 3, 'no criteria'],
    [`- AC-1: ${'x'.repeat(601)}`, 4, 'more than 600 characters'],
    [`- AC-1: ${'x'.repeat(590)}\n  ${'y'.repeat(20)}`, 5, 'more than 600 characters'],
    [Array.from({ length: 41 }, (_, n) => `- AC-${n + 1}: a`).join('\n'), 44, 'more than 40 criteria'],
    ['- AC-1: a\n## Acceptance criteria\n- AC-1: b', 5, 'more than one section'],
  ])('criteria in the wrong format are reported with their line: %j', (lines, line, problem) => {
    expect(section(lines)).toEqual({ line, problem: expect.stringContaining(problem) });
  });
});

test.each([
  ['AC-2: refuses the 61st', ['AC-2']],
  ['limit > ac 2 and AC_3', ['AC-2', 'AC-3']],
  ['test_ac2_refuses', ['AC-2']],
  ['TestAC12Refuses', ['AC-12']],
  ['tests::ac2_refuses', ['AC-2']],
  ['mac2, MAC2, AC-0, AC-123, ac-, zodiac2', []],
])('criteriaIn returns the criteria that %j names', (title, ids) => {
  expect(criteriaIn(title)).toEqual(ids);
});
