/** Korean names and titles of what is in a pack (see en-pack.ts). */
import type { enAcceptedAs, enCriterionKind, enFileKind, enPackWarnings } from './en-pack.ts';

export const koCriterionKind: typeof enCriterionKind = { keeps: '그대로 유지', look: '직접 확인' };
export const koFileKind: typeof enFileKind = {
  link: '심볼릭 링크',
  executable: '실행 파일',
  plain: '더는 실행 파일이나 링크가 아님',
  submodule: '서브모듈',
};
export const koAcceptedAs: typeof enAcceptedAs = {
  accepted: '사용자가 그대로 받아들임',
  withoutProof: '증명 없이 사용자가 받아들임',
};
export const koPackWarnings: typeof enPackWarnings = {
  overridden: '결과가 바꾸거나 지운 기준 커밋의 테스트가 이 결과에서 실패합니다:',
  uncompared: '기준 커밋에서도 실패해서 아무것도 증명하지 못하는 점검입니다:',
  inputs: '테스트 실행 방식을 바꿉니다. 먼저 확인하세요:',
  'equal-names': '대소문자만 다른 이름입니다:',
  builds: '기준 커밋에서 실패해서 뺀 설치 단계입니다:',
  requirements: '설치하지 못해서 없이 진행한 패키지입니다:',
  files: '실행에 없었던 기준 커밋의 파일입니다:',
  rules: '이후 실행의 에이전트가 따르는 규칙을 바꿉니다:',
  'lost-refs':
    '실행 중에 Dure가 아닌 쪽에서 브랜치, 태그, stash 항목을 지우거나 옮겼습니다. 되살리거나 빠진 것을 보는 명령:',
  'unread-refs': '비교하지 못한 브랜치, 태그, stash 항목입니다. 잃었을 수 있습니다:',
  unchecked: '이 실행의 첫 부분에서 확인하지 못한 이벤트 수:',
};
