/** Korean errors of rebasing a result. */
import type { ErrorWords } from '../../errors.ts';
import { koMergeReason } from '../ko-merge-refusals.ts';

export const koRebaseErrors = {
  E_REBASE: c => [
    `결과를 리베이스하지 않았습니다: ${koMergeReason(c.why)}.`,
    '검토 자료와 실행의 브랜치는 그대로입니다.',
  ],
  E_REBASE_UNMOVED: c => [
    `${c.onto}의 파일은 ${c.run} 실행을 테스트했을 때와 같으므로 리베이스할 것이 없습니다.`,
    `승인하세요: \`dure approve ${c.run}\`.`,
    `다른 브랜치나 커밋에 리베이스하려면: \`dure rebase ${c.run} --onto BRANCH\`.`,
  ],
  E_REBASE_DETACHED: c => [
    `${c.run} 실행은 브랜치가 아닌 곳(분리된 HEAD)에서 시작했습니다.`,
    `어디에 리베이스할지 지정하세요: \`dure rebase ${c.run} --onto BRANCH\`.`,
  ],
  E_REBASE_BRANCH: c => [
    `${c.run} 실행은 ${c.branch} 브랜치에서 시작했는데, 지금은 그 브랜치가 없습니다.`,
    `어디에 리베이스할지 지정하세요: \`dure rebase ${c.run} --onto BRANCH\`.`,
  ],
} satisfies Partial<ErrorWords>;
