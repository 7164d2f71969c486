/** Korean errors of decisions, and of feedback on a result. */
import type { ErrorWords } from '../../errors.ts';

export const koFeedbackErrors = {
  E_DECISION_INVALID: c => [
    `올바르지 않아 보내지 않았습니다:\n${c.problems}`,
    '글이 너무 길면 줄이거나, 프로젝트의 파일에 적고 그 파일의 이름을 알려 주세요.',
  ],
  E_FEEDBACK_GIVEN: c => [
    `다른 사람이 방금 ${c.run} 실행의 이 자료에 수정을 요청했습니다. 이번 요청은 기록하지 않았습니다.`,
    '다음 자료가 만들어지면 더 필요한 수정을 요청하세요: `dure reject`.',
  ],
  E_FEEDBACK_EMPTY: () => ['무엇을 바꿔야 하나요?', '적어 주세요: `dure reject --feedback "…"`.'],
  E_COMMENT: c => [
    `${c.comment}: 줄에 다는 의견의 형식이 아닙니다.`,
    'FILE:LINE:TEXT 형식으로 쓰세요. 예: src/app.ts:12:"이름을 더 명확하게".',
  ],
  E_COMMENT_PLACE: c => [
    c.lines === null
      ? `이 결과에는 의견을 달 ${c.file} 파일이 없습니다.`
      : `${c.file} 파일에는 ${c.line}번째 줄이 없습니다. 모두 ${c.lines}줄입니다.`,
    '바뀐 파일과 줄 번호 보기: `dure review --diff`.',
    '특정 줄에 대한 의견이 아니면: `dure reject --feedback "…"`.',
  ],
} satisfies Partial<ErrorWords>;
