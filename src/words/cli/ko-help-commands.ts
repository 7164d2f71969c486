/** What each command of Dure itself is for, in Korean, with its arguments and flags. */
import type { CommandWords } from './ko-help.ts';

const run = '실행 id. 기본값: 가장 최근 실행.';

export const own = {
  answer: {
    summary: '실행이 기다리는 질문에 답합니다.',
    args: { run },
    flags: {
      crp: '어느 질문에 답하는지. 확실히 해 두고 싶을 때 씁니다.',
      decision: '고른 선택지, OTHER, 또는 예산을 더 달라는 질문에는 금액.',
      amount: '더 줄 미국 달러. --decision raise와 함께 씁니다.',
      rationale: '이어서 일할 에이전트에게 하는 말. 이것만 쓰면 --decision OTHER와 같습니다.',
      notes: '에이전트가 더 알아야 할 것.',
      future: '앞으로의 실행에도 적용할 결정으로 남깁니다.',
      yes: '추천을 따릅니다. Dure가 스스로 하는 질문은 종류마다 실행에 한 번만 따릅니다.',
    },
  },
  approve: {
    summary: '병합 준비 자료를 승인합니다. 본 것만 그대로 병합합니다.',
    description: '종료 코드 4: 거절되었고 아무것도 바뀌지 않았습니다. 이유는 메시지에 있습니다.',
    args: { run },
    flags: {
      tree: '당신이 본 트리. 자료의 트리가 다르면 거절합니다.',
      how: '지금 브랜치에 병합하거나, 브랜치만 남기거나, 풀 리퀘스트를 엽니다.',
    },
  },
  attach: {
    summary: '실행의 tmux 창을 봅니다: 일하는 에이전트와 작업 트리의 셸.',
    description:
      'Ctrl-b d로 나가면 실행은 계속됩니다. 파이프에서는 tmux 명령을 출력합니다. tmux 없이 시작한 실행은 `dure watch`와 `dure logs`로 지켜봅니다.',
    args: { run },
  },
  clean: {
    summary: '끝난 실행을 지웁니다.',
    description:
      '실행의 폴더와 작업 트리, 봉인된 결과를 지웁니다. 병합한 것은 병합된 채로 있고, 병합하지 않은 브랜치도 남습니다. 끝나지 않았거나 병합하지 않은 실행은 --force가 있어야 지우고, 진행 중인 실행은 절대 지우지 않습니다.',
    args: { run: '이 실행만, 어떤 상태이든.' },
    flags: {
      'older-than': '이 기간 동안 바뀌지 않은 실행만 (m, h, d, w).',
      state: '이 상태의 실행만. 쉼표로 나눕니다.',
      'dry-run': '무엇이 지워질지만 보여 주고 아무것도 지우지 않습니다.',
      force: '끝나지 않았거나 병합하지 않은 실행도 지웁니다.',
      yes: '묻지 않습니다.',
    },
  },
  completion: {
    summary: '셸이 명령, 옵션, 실행 id를 완성하게 하는 코드를 출력합니다.',
    args: { shell: '사용하는 셸.' },
  },
  'config:check': { summary: '모든 설정 파일과 플러그인의 설정을 확인합니다.' },
  'config:get': {
    summary: '기본값을 채운 설정을 보여 줍니다.',
    args: { key: '예: builder.model. 기본값: 전부.' },
  },
  'config:set': {
    summary: '설정을 바꿉니다. 올바르지 않은 값은 거절하고 아무것도 바꾸지 않습니다.',
    args: { key: '예: builder.model.', value: 'JSON 또는 낱말.' },
  },
  demo: {
    summary: '모델 없이 예제 프로젝트에서 실행 전체를 봅니다.',
    flags: {
      yes: '묻지 않고 추천을 따르고 승인합니다.',
      keep: '예제 프로젝트를 여기에 만듭니다. 기본값: 임시 폴더.',
    },
  },
  extend: {
    summary: '일하는 에이전트에게 시간을 더 줍니다.',
    args: { run },
    flags: { by: '얼마나 더 줄지. 예: 10m, 1h.' },
  },
  help: {
    summary: '도움말을 보여 줍니다.',
    args: { command: '도움말을 볼 명령.' },
    flags: { 'nested-commands': '주제 아래의 명령도 모두 보여 줍니다.' },
  },
  history: {
    summary: '이 프로젝트의 실행, 최신순.',
    flags: { limit: '몇 개까지.', state: '이 상태의 실행만.' },
  },
  init: {
    summary: '이 프로젝트에서 Dure를 쓸 수 있게 준비합니다.',
    description:
      '저장소의 맨 위에서 .dure/config에 없는 설정 파일을 만들고, 에이전트를 시작하는 데 꼭 필요한 동의를 한 번 묻습니다. 의존성을 설치하는 명령과 프로젝트의 자체 점검 명령을 제안하고, 도구마다 .dure/를 건드리지 않게 하는 줄을 알려 주며, .orchestral/에 있는 것을 가져올지도 묻습니다. 여러 번 실행해도 됩니다. 이미 있는 것은 그대로 둡니다.',
    flags: {
      yes: '묻지 않고 권하는 대로 합니다. 에이전트는 --allow-bypass가 있어야 허락됩니다.',
      'allow-bypass': '이 프로젝트에서 에이전트가 권한을 묻지 않고 일하는 데 동의합니다.',
      backend: '역할을 맡을 코딩 에이전트 CLI.',
      'bring-over': '.orchestral/의 설정과 실행을 가져옵니다. 원본은 그대로 둡니다.',
    },
  },
  logs: {
    summary: '실행에서 일어난 일, 또는 에이전트가 하는 말.',
    args: { run },
    flags: {
      follow: '실행이 끝나거나 Ctrl-C를 누를 때까지 계속합니다. 기본값: 터미널에서, 누군가 일하고 있는 동안.',
      agent: '이벤트 대신 이 에이전트가 하는 말.',
      raw: '디스크에 있는 줄 그대로.',
    },
  },
  open: {
    summary: '실행의 작업 트리를 편집기로 엽니다.',
    description:
      '$VISUAL이나 $EDITOR를 씁니다. 둘 다 없거나 파이프 안이면 폴더를 출력합니다: cd "$(<%= config.bin %> open)"',
    args: { run },
  },
  pages: {
    summary: '페이지를 브라우저에서 엽니다.',
    description:
      '한 번만, 2분 동안 쓸 수 있는 주소를 출력하고, 화면이 있으면 엽니다. 페이지를 보여 주는 프로세스가 없으면 새로 시작하고, 보는 사람이 없어지면 끝납니다.',
    args: { run: '이 실행의 페이지를 엽니다. 기본값: 전체 보기.' },
    flags: {
      port: '프로세스를 시작해야 할 때 쓸 포트.',
      browser: '브라우저를 엽니다.',
    },
  },
  recover: {
    summary: '진행하는 프로세스가 없는 실행을 이어 갑니다.',
    description:
      'RUN이 없으면 중단된 실행의 목록을 보여 줍니다. 아직 일하고 있는 에이전트는 다시 시작하지 않고 넘겨받습니다.',
    args: { run: '실행 id.' },
    flags: { auto: '중단된 실행 모두.', list: '목록만 봅니다.' },
  },
  reject: {
    summary: '수정을 요청합니다. 당신의 의견으로 시작하는 반복이 하나 더 이어집니다.',
    args: { run },
    flags: {
      feedback: '무엇을 바꿔야 하는지.',
      comment: '줄에 다는 의견. 여러 번 쓸 수 있습니다.',
    },
  },
  retry: {
    summary: '일하는 에이전트를 끝내고 다시 시작합니다.',
    description:
      '막혀 있을 때 씁니다. 써 둔 것은 다음 에이전트가 볼 수 있게 남고, 든 비용도 그대로 셈에 들어갑니다.',
    args: { run },
  },
  review: {
    summary: '실행의 병합 준비 자료를 봅니다.',
    description:
      '요약과 증명된 것을 보여 줍니다. --diff나 --evidence를 쓰면 그 부분만 모두 보여 줍니다. 터미널에서 긴 것은 $PAGER로 보여 줍니다.',
    args: { run },
    flags: {
      diff: '변경 사항만, 통합 diff로.',
      'side-by-side': '변경 사항만, 앞과 뒤를 나란히. 120칸이 필요합니다.',
      evidence: '증거만, 한눈에.',
    },
  },
  serve: {
    summary: '이 프로세스에서 실행을 진행하고 페이지를 제공합니다.',
    description:
      '`dure start`가 뒤에서 돌리는 것입니다. 한 프로세스가 프로젝트를 이끌고, 다른 프로세스는 대기하다가 그 프로세스가 끝나면 넘겨받습니다. 진행하던 프로세스를 잃은 실행은 이어 갑니다. Ctrl-C를 누르면 중단된 것으로 기록합니다. 일하고 있는 에이전트는 계속하고, `dure recover`로 이어 갈 수 있습니다.',
    args: {
      run: '진행할 실행. 그 실행이 끝나면 프로세스도 끝납니다. 기본값: Ctrl-C를 누를 때까지, 진행이 필요한 실행 모두.',
    },
    flags: {
      port: '페이지의 포트.',
      browser: '페이지를 브라우저로 엽니다.',
      background: '모든 실행이 쉬고 페이지를 보는 사람도 없으면 끝냅니다.',
      'while-watched': '진행할 실행도 페이지를 보는 사람도 없으면 끝냅니다.',
    },
  },
  start: {
    summary: '브리핑으로 실행을 시작하고 지켜봅니다.',
    description:
      '네 에이전트가 다듬고, 만들고, 검증하고, 판정합니다. 브리핑이 없으면 그것을 쓰는 페이지를 엽니다. Ctrl-C로 나가도 실행은 계속됩니다. 종료 코드: 0 병합 준비됨 또는 완료, 1 실패, 3 질문이 당신을 기다림, 5 중지 또는 중단.',
    args: { briefing: '할 일. "-"이면 표준 입력에서 읽습니다.' },
    flags: {
      file: '파일에서 브리핑을 읽습니다.',
      yes: '묻지 않고 에이전트의 추천을 따릅니다.',
      detach: '실행을 지켜보지 않습니다.',
      backend: '이 실행의 모든 역할을 맡을 코딩 에이전트 CLI.',
      cassette: '리허설 백엔드가 재생할 것: 파일, default 또는 demo.',
      budget: '실행에 쓸 수 있는 최대 비용, 미국 달러.',
      base: '시작할 커밋, 브랜치 또는 태그. 기본값: 현재 위치.',
      'include-changes': '커밋하지 않은 변경까지 담아 시작합니다.',
      launcher: '에이전트가 일하는 곳. 기본값: tmux가 있으면 tmux.',
      port: '웹 페이지의 포트.',
      browser: '웹 페이지를 엽니다.',
    },
  },
  status: { summary: '실행이 어디까지 왔고 무엇을 기다리는지.', args: { run } },
  stop: {
    summary: '실행을 끝냅니다. 만든 것은 그대로 남습니다.',
    args: { run },
    flags: { reason: '이유. 로그에 남깁니다.' },
  },
  version: { summary: 'Dure와 그 실행 환경의 버전을 보여 줍니다.' },
  wait: {
    summary: '사람이 필요하거나 실행이 끝날 때까지 기다립니다.',
    description:
      '종료 코드: 0 완료, 또는 (--for human일 때) 당신이 필요함, 1 실패 또는 시간이 다 됨, 5 중지 또는 중단.',
    args: { run },
    flags: { for: '무엇을 기다릴지.', timeout: '이보다 오래 기다리지 않습니다.' },
  },
  watch: {
    summary: '준비되거나 끝날 때까지 실행을 지켜봅니다.',
    description:
      '`dure start`가 보여 주는 것을 보여 주고 아무것도 바꾸지 않습니다. 질문은 답하는 명령과 함께 보여 줍니다. Ctrl-C로 나가도 실행은 계속됩니다.',
    args: { run },
  },
} satisfies Partial<CommandWords>;
