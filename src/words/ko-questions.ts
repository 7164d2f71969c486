/** The questions that Dure itself asks, in Korean, keyed by the reason for the question and the ids of its options. */

import type { Crp } from '../formats/crp-and-vcr.ts';
import type { AskReason } from '../formats/question-reasons-and-effects.ts';

const QUESTIONS: Readonly<Record<AskReason, string>> = {
  failure: '에이전트나 Dure의 단계가 실패했습니다. 어떻게 할까요?',
  timeout: '제한 시간을 넘겼습니다. 어떻게 할까요?',
  setup: '작업 공간 준비에 실패했습니다. 어떻게 할까요?',
  tests: '테스트를 실행할 수 없거나 고치지 못했습니다. 어떻게 할까요?',
  repeated: '결과가 같은 이유로 두 번 연속 실패했습니다. 어떻게 할까요?',
  exhausted: '정해진 반복을 모두 마쳤지만 통과하지 못했습니다. 어떻게 할까요?',
  verdict: '사람이 판정해야 합니다. 어떻게 할까요?',
  unproven: '결과가 테스트되거나 판정되지 않았습니다. 어떻게 할까요?',
  budget: '예산을 모두 썼거나, 쓴 비용을 알 수 없습니다. 어떻게 할까요?',
  pack: '병합 준비 자료를 만들지 못했습니다. 어떻게 할까요?',
  limit: '실행이 한도에 도달했습니다. 어떻게 할까요?',
  disk: '실행이 디스크 사용 한도에 도달했습니다. 어떻게 할까요?',
  silence: '에이전트가 오랫동안 아무것도 출력하지 않았습니다. 어떻게 할까요?',
};

type Option = Crp['options'][number];

const OPTIONS: Readonly<Record<string, Pick<Option, 'label' | 'description' | 'risk'>>> = {
  stop: { label: '실행 중지' },
  retry: { label: '다시 시도' },
  tests: {
    label: '테스트를 새로 작성',
    description: '코드는 그대로 둡니다. 작성한 의견은 테스트를 작성하는 에이전트에게 전달됩니다.',
  },
  again: {
    label: '한 번 더 반복',
    description: '작성한 의견을 전달하고 처음부터 다시 만듭니다.',
    risk: '만드는 비용이 다시 듭니다',
  },
  rebuild: {
    label: '다시 만들기',
    description: '작성한 의견을 전달하고 처음부터 다시 만듭니다.',
    risk: '만드는 비용이 다시 듭니다',
  },
  setup: {
    label: '준비 명령을 바꾸고 다시 시도',
    description:
      '먼저 설정을 바꾸세요. `dure config set workspace.setup "npm ci"`를 실행하거나 .dure/config/global.json의 workspace.setup을 고치면 됩니다. 그런 다음 이 선택지를 고르면 새 값으로 실행합니다.',
  },
  accept: {
    label: '결과를 그대로 받아들이기',
    risk: '통과하지 않은 채 받아들인 것으로 기록되며, 병합 준비 자료에도 남습니다',
  },
  raise: {
    label: '같은 금액만큼 예산 늘리기',
    description:
      '또는 금액을 적으세요. 예를 들어 20을 적으면 20달러를 더 줍니다(`dure answer --decision 20`).',
    risk: '비용이 듭니다',
  },
  'raise-limit': {
    label: '한도 높이기',
    description: '이 실행에서 같은 양만큼 더 쓸 수 있습니다.',
  },
  check: {
    label: '다시 확인',
    description: '먼저 공간을 확보하세요. 예: `dure clean`',
  },
};

const isAskReason = (why: string): why is AskReason => Object.hasOwn(QUESTIONS, why);

/** Returns the Korean text of a question that Dure asks, or `text` unchanged if an agent asks. */
export const koQuestionText = (why: string, text: string): string =>
  isAskReason(why) ? QUESTIONS[why] : text;

/** Translates a question for display, but not its context. Questions from agents are not translated. */
export const koQuestion = (crp: Crp): Crp =>
  crp.created_by === 'dure'
    ? {
        ...crp,
        question: koQuestionText(crp.type, crp.question),
        options: crp.options.map(option => ({ ...option, ...OPTIONS[option.id] })),
      }
    : crp;
