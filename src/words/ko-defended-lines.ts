/** Korean messages about which changed lines tests defend. */
import type { UnitStatus } from '../formats/exam/exam-units-and-faults.ts';
import type { LineWords } from './en-defended-lines.ts';

const because: Readonly<Record<UnitStatus, string>> = {
  proven: '이 줄이 없으면 단언이 실패함',
  together: '이 줄과 다른 줄이 함께 없으면 단언이 실패함',
  reached: '이 줄이 없으면 테스트가 실패하지만, 단언에서 실패하지는 않음',
  unseen: '이 줄이 없어도 모든 테스트가 통과하고, 망가뜨릴 때만 실패함',
  untested: '이 줄이 없어도 모든 테스트가 통과함',
  'not-loaded': '이 파일을 불러오는 테스트가 없음',
  breaks: '이 줄이 없으면 코드를 불러올 수 없음',
  'not-code': '주석, 공백 또는 문서 문자열',
  'types-only': '타입뿐임',
  'not-run': '시간이 다 됨',
};

/** Like `because`, but for removed lines that no new lines replace. */
const becauseOfRemoved: typeof because = {
  ...because,
  proven: '삭제된 이 줄을 되돌리면 단언이 실패함',
  together: '삭제된 이 줄을 되돌리고 다른 변경도 취소하면 단언이 실패함',
  reached: '삭제된 이 줄을 되돌리면 테스트가 실패하지만, 단언에서 실패하지는 않음',
  untested: '삭제된 이 줄을 되돌려도 모든 테스트가 통과함',
  breaks: '삭제된 이 줄을 되돌리면 코드를 불러올 수 없음',
};

export const koLines: LineWords = {
  defence: { defended: '지켜짐', weak: '약함', undefended: '지켜지지 않음', unknown: '판단 안 함' },
  because: (status, side) => (side === 'old' ? becauseOfRemoved : because)[status],
  moved: '위치만 옮긴 줄임',
  someMoved: lines => `${lines}줄은 위치만 옮김`,
  why: ({ status, side, survived, moved }) =>
    `${koLines.because(status, side)}${moved ? `. ${koLines.moved}` : ''}${survived.length > 0 ? `. 잡아내지 못한 결함: ${survived.join(', ')}` : ''}`,
};
