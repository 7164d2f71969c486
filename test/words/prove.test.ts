/** Where `dure prove` finds the base of a pack, in both languages. */
import { expect, test } from 'vitest';
import { enCli } from '../../src/words/cli/en.ts';
import { koCli } from '../../src/words/cli/ko.ts';

test.each([
  [null, null, 'base a1 is not on any branch here', '기준 커밋 a1: 이 저장소의 어느 브랜치에도 없음'],
  ['main', 0, 'base a1 is the tip of main', '기준 커밋 a1: main의 최신 커밋'],
  ['main', 2, 'base a1 is on main, 2 commits behind its tip', '기준 커밋 a1: main에 있음, 커밋 2개 전'],
])(
  'a base on branch %s, %s commits behind its tip, is described in both languages',
  (branch, behind, english, korean) => {
    expect(enCli.prove.base('a1', branch, behind)).toBe(english);
    expect(koCli.prove.base('a1', branch, behind)).toBe(korean);
  },
);
