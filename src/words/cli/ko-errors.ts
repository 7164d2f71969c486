/** The Korean text of every error message. The table in errors.ts is the original. */
import { type ErrorWords, withFullStop } from '../../errors.ts';
import { koMergeReason } from '../ko-merge-refusals.ts';

const STATUS = '`dure status`로 확인하세요.';

export const errors: ErrorWords = {
  E_NOT_A_PROJECT: c => [
    `여기에는 Dure 프로젝트가 없습니다. ${c.dir} 폴더와 그 위의 폴더에 .dure 폴더가 없습니다.`,
    '프로젝트에서 `dure init`을 실행하세요.',
  ],
  E_RUN_NOT_FOUND: c => [`${c.run} 실행이 없습니다.`, '`dure history`로 확인하세요.'],
  E_RUN_FILES_GONE: c => [
    `${c.run} 실행의 파일이 없어졌습니다.${c.branch ? ` 결과는 ${c.branch} 브랜치에 있습니다.` : ''}`,
    `git에 남은 것을 지우려면(병합하지 않은 브랜치는 남습니다): \`dure clean ${c.run} --force\`.`,
  ],
  E_RUN_AMBIGUOUS: c => [`${c.name}에 맞는 실행이 둘 이상입니다: ${c.runs}.`, 'id를 더 길게 입력하세요.'],
  E_NO_RUNS: () => ['아직 실행이 없습니다.', '시작하려면: `dure start "할 일"`.'],
  E_RUN_ID: c => [
    `${c.run}: 실행 id가 아닙니다.`,
    '실행 id는 run-20260131-142233 형식입니다. `dure history`로 확인하세요.',
  ],
  E_FILE_INVALID: c => [
    `${c.file} 파일이 올바르지 않습니다.\n${c.problems}`,
    '파일을 고친 뒤 다시 해 보세요. 바뀐 것은 없습니다.',
  ],
  E_FILE_UNREADABLE: c => [
    `${c.file} 파일을 읽을 수 없습니다: ${withFullStop(c.why)}`,
    '일반 파일인지, 읽을 권한이 있는지 확인하세요.',
  ],
  E_FILE_MISSING: c => [`${c.file} 파일이 없습니다.`, '파일 이름과 현재 폴더를 확인하세요.'],
  E_LOG_CORRUPT: c => [
    `${c.file} 파일이 바뀌었거나 손상되었습니다: ${c.line === null ? '' : `${c.line}번째 줄, `}${withFullStop(c.why)}`,
    `로그가 손상된 실행은 자동으로 재개되지 않습니다. 남은 내용과 이어 가는 방법은 \`dure recover ${c.run}\`로 확인하세요.`,
  ],
  E_RUN_DAMAGED: c => [
    [
      c.log,
      c.intact
        ? `온전한 이벤트: ${c.intact}개 (마지막: ${c.last}). 손실: ${c.lost === null ? '그 뒤의 모든 이벤트' : `그 뒤의 이벤트 ${c.lost}개`}.`
        : '온전한 이벤트가 없습니다.',
      c.sealed ? `마지막으로 봉인된 결과: ${c.sealed}.` : '봉인된 결과가 남아 있지 않습니다.',
    ].join('\n'),
    ...(c.intact
      ? [`손상되기 전부터 이어 가기(그 뒤의 단계는 다시 실행됩니다): \`dure recover ${c.run} --how rewind\`.`]
      : ['이 로그로는 실행을 재개할 수 없습니다. 온전한 events.log 사본이 있으면 되돌려 놓으세요.']),
    ...(c.sealed
      ? [`봉인된 결과만 브랜치로 남기기: \`dure recover ${c.run} --how branch\`.`]
      : [`브리핑은 .dure/runs/${c.run}/briefing/raw.md에 있습니다.`]),
  ],
  E_VERIFY: c => [
    `${c.run}의 파일이 손상되었거나 바뀌었습니다: ${c.damaged}.`,
    ...(c.log ? [`로그에서 남은 것과 이어 가는 방법 보기: \`dure recover ${c.run}\`.`] : []),
    ...(c.state ? ['state.json: 조치할 필요가 없습니다. 필요할 때 Dure가 로그에서 다시 만듭니다.'] : []),
    ...(c.decisions
      ? [
          `결정을 로그의 기록과 비교하세요: \`dure logs ${c.run} --json\`. 유효하지 않은 결정은 신뢰하지 마세요.`,
        ]
      : []),
    ...(c.seals
      ? [
          `Dure는 봉인을 사용하기 전에 번들에서 복원합니다. 지금 결과를 브랜치로 남기기: \`dure recover ${c.run} --how branch\`.`,
        ]
      : []),
    ...(c.bundles ? ['번들은 사본일 뿐입니다. git에 있는 봉인이 온전하면 손실은 없습니다.'] : []),
    ...(c.pack
      ? [
          `병합 준비 자료가 승인 대기 중이면 \`dure approve ${c.run}\` 명령이 병합하지 않고 자료만 다시 만듭니다. 원래 파일 보기: \`git show refs/dure/packs/${c.run}:summary.md\`.`,
        ]
      : []),
  ],
  E_BRIEFING_EMPTY: () => ['브리핑이 비어 있습니다.', '할 일을 적으세요: `dure start "…"`.'],
  E_BRIEFING_TWICE: () => [
    '브리핑과 --file을 함께 지정했습니다.',
    '하나만 지정하세요: `dure start "…"` 또는 `dure start --file FILE`.',
  ],
  E_PIPELINE: c => [
    `파이프라인 ${c.pipeline}을(를) 실행할 수 없습니다: ${c.problem}.`,
    '`--pipeline`으로 다른 것을 고르거나 .dure/config/global.json의 `pipelines`를 고치세요. 단계 목록은 docs/plugins.md에 있습니다.',
  ],
  E_BUDGET: c => [`${c.budget}: 미국 달러 금액이 아닙니다.`, '0보다 큰 수를 쓰세요. 예: 2.50.'],
  E_TREE: c => [
    `${c.tree}: 트리의 id가 아닙니다.`,
    '`dure review`에 나온 id를 쓰세요. 16진수 8자리 이상입니다.',
  ],
  E_BACKEND_UNKNOWN: c => [`${c.name} 백엔드는 없습니다.`, `사용할 수 있는 백엔드: ${c.known}.`],
  E_CONSENT: c => [
    '에이전트는 권한 확인 없이 실행되는데, 이 프로젝트에서는 아직 허용되지 않았습니다.',
    '샌드박스가 작동하면 그 안에서 실행할 수 있습니다: `dure init --sandbox strict`.',
    `${c.guide} 파일을 읽은 뒤 허용하세요: \`dure init --allow-bypass\`.`,
    '컨테이너나 샌드박스 안이라면 대신 IS_SANDBOX=1을 설정하세요.',
  ],
  E_GIT: c => [
    `git ${c.command} 명령이 실패했습니다: ${c.stderr}`,
    'git의 메시지를 확인하세요. 프로젝트의 파일은 바뀌지 않았습니다.',
  ],
  E_GIT_PROGRAM: c => [
    `git ${c.command} 명령이 실행하는 ${c.program}을(를) 찾지 못했습니다.`,
    `${c.program}을(를) 설치하세요. 어떤 git 필터에 필요한지는 \`dure doctor --quick\`에서 볼 수 있습니다.`,
  ],
  E_GIT_MISSING: () => ['git을 찾지 못했습니다.', 'git 2.31 이상을 설치하세요.'],
  E_SANDBOX: c => [
    `에이전트의 샌드박스가 작동하지 않습니다: ${withFullStop(c.why)}`,
    'bubblewrap을 설치하고(`apt install bubblewrap`), 이 컴퓨터에서 사용자 네임스페이스를 허용하고, DURE_SANDBOX를 설정하지 마세요. `dure doctor`로 확인할 수 있습니다.',
    `샌드박스 없이 에이전트를 실행하려면: \`dure config set sandbox.mode off\` (지금: ${c.mode}).`,
  ],
  E_SANDBOX_SLOW: c => [
    `${c.program}의 샌드박스가 작동하는지 확인할 수 없습니다: ${withFullStop(c.why)}`,
    '컴퓨터가 매우 바쁜 상태일 수 있습니다. 나중에 다시 시도하세요. 샌드박스 없이 실행한 것은 없습니다.',
    '테스트와 점검을 샌드박스 없이 실행하려면 Dure를 실행하는 셸에서 DURE_SANDBOX=none을 설정하세요. `dure prove`에서는 `--sandbox none`을 사용하세요.',
  ],
  E_STATE_FOLDER: c => [
    `프로젝트 밖에 Dure의 체크아웃을 둘 수 있는 폴더가 없습니다: ${withFullStop(c.why)}`,
    'XDG_STATE_HOME을 프로젝트 밖에 있는 본인 소유의 폴더로 설정하세요.',
  ],
  E_KEY: c => [
    `${c.run}의 로그를 확인할 수 없습니다: ${withFullStop(c.why)}`,
    '키가 남아 있으면 복원하거나, 실행을 시작할 때와 같은 HOME과 XDG_STATE_HOME을 사용하세요.',
    `새 키로 계속하기. 확인하지 못한 내용은 검토 자료에 표시됩니다: \`dure recover ${c.run} --how rekey\`.`,
    `마지막으로 봉인된 결과만 dure/${c.run} 브랜치로 남기기: \`dure recover ${c.run} --how branch\`.`,
    `실행 삭제하기: \`dure clean ${c.run} --force\`.`,
  ],
  E_LINK_INTO_CHECKOUT: c => [
    `${c.link}은(는) 사용자의 작업 트리(${c.target})를 가리키는 링크라서, 테스트가 결과에 없는 파일을 읽게 됩니다.`,
    '링크를 상대 경로로 바꾸거나 지우세요.',
  ],
  E_TESTS_IN_THE_WAY: c => [
    `테스트 ${c.path}을(를) 추가할 수 없습니다: ${c.existing}이(가) 이미 있습니다.`,
    '베리파이어에게 다른 이름을 쓰도록 요청하세요.',
  ],
  E_BASE: c => [`${c.base}: 그런 커밋이 없습니다.`, '브랜치, 태그 또는 커밋 id를 지정하세요.'],
  E_TMUX: c => [
    `tmux가 실패했습니다: ${withFullStop(c.why)}`,
    'tmux 없이 실행하려면 `--launcher process`로 시작하세요.',
  ],
  E_NOT_IN_TMUX: c => [
    `${c.run} 실행의 에이전트는 tmux에서 실행되지 않으므로 연결할 세션이 없습니다.`,
    `실행을 지켜보세요: \`dure watch ${c.run}\`.`,
    `에이전트의 출력을 확인하세요: \`dure logs ${c.run} --agent builder --follow\`.`,
  ],
  E_NO_SESSION: c => [
    `${c.run} 실행에는 지금 tmux 세션이 없습니다 (${c.phase}). 세션은 실행과 함께 끝납니다.`,
    `무슨 일이 있었는지 확인하세요: \`dure logs ${c.run}\`.`,
    `실행이 중단되었으면 재개하세요: \`dure recover ${c.run}\`.`,
  ],
  E_RUN_OVER: c => [
    `${c.run} 실행은 끝났습니다 (${c.phase}).`,
    ...(c.pack ? [`병합 준비 자료는 남아 있습니다: \`dure review ${c.run}\`.`] : []),
    '새 실행을 시작하세요: `dure start`.',
  ],
  E_TOO_LATE: c => [
    `늦었습니다: ${c.run} 실행이 이미 끝나서(${c.phase}) 요청이 적용되지 않았습니다.`,
    `어떻게 끝났는지 보기: \`dure status ${c.run}\`.`,
  ],
  E_AGENT_ENDED: c => [
    `늦었습니다: ${c.run} 실행의 에이전트가 이미 끝나서 요청이 적용되지 않았습니다.`,
    `지금 무엇을 하는지 보기: \`dure status ${c.run}\`.`,
  ],
  E_NOT_WAITING: c => [`${c.run} 실행에는 답할 질문이 없습니다 (${c.phase}).`, STATUS],
  E_CRP_UNKNOWN: c => [`${c.crp}: 답을 기다리는 질문이 아닙니다.`, `답을 기다리는 질문: ${c.open}.`],
  E_ANSWERED: c => [
    `${c.crp} 질문에는 이미 답이 있습니다: ${c.decision}.`,
    '첫 번째 답이 유효합니다. `dure status`로 확인하세요.',
  ],
  E_OPTION_UNKNOWN: c => [
    `${c.decision}: 선택지에 없습니다.`,
    `선택지: ${c.options}. 직접 답하려면 --decision OTHER와 --rationale을 쓰세요.`,
  ],
  E_WORDS_ALONE: c => [
    `${c.crp}: 선택지를 골라야 합니다. 의견만으로는 답할 수 없습니다. 아무것도 기록하지 않았습니다.`,
    `선택지(${c.options}) 중 하나를 고르세요. 예산에 관한 질문이라면 \`dure answer --decision 20\`으로 20달러를 더 줄 수 있습니다. 의견은 --rationale로 덧붙이세요.`,
  ],
  E_AMOUNT_UNASKED: c => [
    `${c.crp}: 결정 ${c.decision}에는 금액을 지정할 수 없습니다.`,
    '금액은 예산에 관한 질문에 답할 때만 쓸 수 있습니다: `dure answer --decision raise --amount 20`.',
  ],
  E_NO_ANSWER: c => [
    `${c.crp} 질문이 결정을 기다립니다.`,
    c.recommended
      ? '`dure answer --decision ID`로 답하거나 `--yes`로 추천을 따르세요.'
      : '`dure answer --decision ID`로 답하세요.',
  ],
  E_EXAM_COMPLETE: c => [
    `${c.run} 실행의 테스트 검토에는 더 시도할 것이 없습니다.`,
    `결과는 \`dure review ${c.run}\`에서 볼 수 있습니다.`,
  ],
  E_NOT_EXAMINED: c => [
    `${c.run} 실행의 테스트는 검토되지 않았으므로 계속할 검토가 없습니다.`,
    '테스트는 통과했고, 브리핑에 인수 조건이 있고, 파이프라인에 검토 단계가 있고, `proof.exam`이 켜져 있을 때 검토됩니다.',
    `무엇을 테스트했는지 보기: \`dure review ${c.run} --full\`.`,
  ],
  E_NOT_READY: c => [
    `${c.run} 실행에는 검토할 병합 준비 자료가 없습니다 (${c.phase}).`,
    c.phase === 'waiting_human' ? `질문에 답하세요: \`dure answer ${c.run}\`.` : STATUS,
  ],
  E_PACK_MOVED: c => [
    `확인한 뒤에 자료가 바뀌었습니다: 트리 ${c.seen} → ${c.now}.`,
    '`dure review`로 다시 검토하세요.',
  ],
  E_PACK_UNKNOWN: c => [
    `${c.run}에는 검토 자료 ${c.pack}이(가) 없습니다.`,
    '번호는 1부터 시작합니다. 이전 버전의 Dure는 수정을 요청한 뒤에 그 자료를 보관하지 않았습니다.',
  ],
  E_CONFIG: c => [
    `설정에 오류가 있습니다.\n${c.problems}`,
    '.dure/config 아래의 파일을 고치세요. 없는 파일은 `dure init`이 만듭니다.',
  ],
  E_CONFIG_VALUE: c => [
    `이 값은 쓸 수 없습니다.\n${c.problems}`,
    '바뀐 것은 없습니다. 쓸 수 있는 값은 docs/configuration.md에 있습니다.',
  ],
  E_CONFIG_KEY: c => [
    `${c.key}: 그런 설정은 없습니다.`,
    c.known ? `사용할 수 있는 설정: ${c.known}.` : '상위 설정에 하위 항목이 없습니다.',
  ],
  E_CONFIRM: c => [`무엇이 어떤 권한으로 실행되는지가 바뀝니다: ${c.keys}.`, '한 번 더 보고 확인해 주세요.'],
  E_BRANCH_PREFIX: c => [
    `${c.branch} 브랜치가 있어서 git이 실행의 브랜치 ${c.branch}/run-…을(를) 만들 수 없습니다.`,
    `이름을 바꾸세요: \`git branch -m ${c.branch} 새-이름\`.`,
  ],
  E_DECISION_IGNORED: c => [
    `결정을 쓰지 않았습니다. 그 파일 ${c.file}이(가) 올바르지 않습니다: ${c.problem}.`,
    '결정한 뒤에 파일이 바뀌었거나 실행의 키를 새로 바꿨습니다. 다시 결정하세요.',
  ],
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
  E_PLUGIN: c => [
    `플러그인 ${c.plugin}: ${c.problem}`,
    `나머지는 이 플러그인 없이 계속됩니다. 고치거나 제거하세요: \`dure plugins uninstall ${c.plugin}\`.`,
  ],
  E_PLUGIN_FAULTY: c => [
    `${c.plugin}: 이대로는 동작하지 않습니다.\n${c.problems}`,
    '고친 뒤 다시 확인하세요. 플러그인이 제공할 수 있는 것은 docs/plugins.md에 있습니다.',
  ],
  E_PLUGIN_INSTALL: c => [
    `${c.plugin} 플러그인을 설치하지 못했습니다: ${withFullStop(c.why)}`,
    '바뀐 것은 없습니다. `--verbose`를 쓰면 npm의 출력을 모두 보여 줍니다.',
  ],
  E_PLUGIN_PATH: c => [
    `${c.path}에는 플러그인이 없습니다: ${withFullStop(c.why)}`,
    'package.json이 있는 폴더나 tarball을 지정하세요.',
  ],
  E_PLUGIN_UNKNOWN: c => [
    `${c.plugin} 플러그인은 설치되어 있지 않습니다.`,
    `설치된 것: ${c.installed || '없음'}.`,
  ],
  E_BUNDLE_SIGN: c => [
    `검토 자료에 서명하지 못했습니다: ${withFullStop(c.why)}`,
    '`ssh-add`로 키를 불러오거나 서명 없이 쓰세요: `dure bundle --no-sign`.',
  ],
  E_PROVE_SOURCE: c => [
    `${c.source}: 실행, 번들, 병합 준비 자료 폴더, 이 저장소의 커밋 가운데 어느 것도 아닙니다.`,
    '저장소의 클론에서 `dure bundle`이 쓴 파일로 `dure prove`를 실행하세요.',
  ],
  E_PROVE_ACCEPT: c => [
    `${c.kind}: 받아들일 수 있는 판정이 아닙니다.`,
    '`--accept not-claimed`, `--accept could-not-run`, `--accept not-claimed,could-not-run` 가운데 하나를 쓰세요.',
  ],
  E_PROVE_CRITERION: c => [`자료에 ${c.criterion} 기준이 없습니다.`, `자료의 기준: ${c.known}.`],
  E_PROVE_BASE: c => [
    `자료의 기준 커밋이 이 클론에 없습니다: ${c.commits}.`,
    '그 커밋을 가져오거나, 이력이 담긴 번들을 요청하세요: `dure bundle --full`.',
  ],
  E_PROVE_PACK: c => [
    `자료를 읽을 수 없습니다: ${withFullStop(c.why)}`,
    '만든 사람에게 `dure bundle`로 새 파일을 만들어 달라고 요청하세요.',
  ],
  E_PROVE_DIFFERS: c => [
    `자료가 그 커밋과 맞지 않습니다: ${c.file} (${c.why}).`,
    'Dure가 만든 뒤에 바뀌었습니다. 신뢰하지 마세요.',
  ],
  E_PROVE_NO_TESTS: c => [
    `${c.run} 결과에서 실행한 테스트가 없어 다시 실행할 것이 없습니다.`,
    '변경 내용을 직접 확인하세요: 자료의 커밋에 `git show`를 실행하면 됩니다.',
  ],
  E_PROVE_SANDBOX: c => [
    `자료의 테스트를 실행할 샌드박스가 없습니다: ${withFullStop(c.why)}`,
    'bubblewrap을 설치하고(`apt install bubblewrap`) 사용자 네임스페이스를 허용하세요.',
    '일회용 컨테이너라면: `dure prove --sandbox none`. 그러면 테스트가 파일을 읽고 네트워크를 쓸 수 있습니다.',
  ],
  E_PROVE_REFUTED: c => [
    `${c.run} 자료의 주장이 여기서는 사실이 아닙니다: ${c.criteria}.`,
    '`--verbose`로 다시 실행해 테스트 출력을 확인하고, 자료를 만든 사람에게 알리세요.',
  ],
  E_PROVE_OPEN: c => [
    `${c.run} 자료의 일부를 확인하지 못했습니다: ${c.criteria}.`,
    '직접 판단하거나 `--accept not-claimed,could-not-run`으로 받아들이세요.',
    ...(c.quick ? ['반증 안 됨(NOT REFUTED)이면 `--quick` 없이 다시 실행하세요.'] : []),
  ],
  E_PROVE_INTERRUPTED: () => ['확인이 중단되었습니다. 남은 파일은 없습니다.', '다시 실행하세요.'],
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
  E_PACK_CHANGED: c => [
    `Dure가 만든 뒤에 ${c.run}의 검토 자료가 바뀌었습니다(mrp/: ${c.files}). 표시하지 않으며, 승인할 수도 없습니다.`,
    `\`dure approve ${c.run}\`가 병합 없이 자료를 다시 만듭니다. 그다음 다시 검토하세요.`,
  ],
  E_EARLIER_PACK_CHANGED: c => [
    `Dure가 만든 뒤에 ${c.run}의 검토 자료 ${c.pack}이(가) 바뀌었습니다(${c.files}). 표시하지 않습니다.`,
    `최신 검토 자료에는 문제가 없습니다: \`dure review ${c.run}\`.`,
  ],
  E_PACK_REMADE: c => [
    `Dure가 만든 뒤에 ${c.run}의 검토 자료가 바뀌어 있었습니다(mrp/: ${c.files}). Dure가 다시 만들었고, 아무것도 병합하지 않았습니다.`,
    `다시 검토하세요: \`dure review ${c.run}\`. 그다음 승인하세요.`,
  ],
  E_REPOSITORY_CHANGED: c => [
    `${c.run} 실행이 시작된 뒤에 다음 항목이 바뀌었습니다. 에이전트가 바꾸었을 수 있습니다:\n${c.changes}`,
    '확인하세요. git 설정과 훅은 프로그램을 실행할 수 있고, 설정 파일은 Dure가 무엇을 실행할지 정합니다.',
    `직접 바꾼 것이라면: \`dure approve ${c.run} --accept-changes\``,
  ],
  E_COMMANDS_CHANGED: c => [
    `마지막으로 확인한 뒤에 다음 명령과 이전 실행의 결정이 새로 생기거나 바뀌었습니다. 에이전트가 바꾸었을 수 있습니다:\n${c.commands}`,
    '앞으로의 실행에 적용해도 된다면 같은 명령을 `--accept-commands`와 함께 다시 실행하세요.',
  ],
  E_NOT_COMMITTED: c => [
    `${c.setting}에 ${c.name}이(가) 있지만, 실행이 시작될 커밋의 ${c.file}에는 없습니다.`,
    `커밋하거나 ${c.setting}에서 이름을 지우세요. docs/rules.md를 보세요.`,
  ],
  E_SEAL_LOST: c => [
    `봉인된 결과가 git 저장소에서 사라졌거나 바뀌었고, 실행 폴더에도 온전한 사본이 없습니다: ${c.steps}.`,
    '`git fsck`로 저장소를 점검한 뒤 새 실행을 시작하세요.',
  ],
  E_MERGE: c => [
    `결과를 병합하지 않았습니다: ${koMergeReason(c.why)}`,
    `결과는 ${c.branch} 브랜치에 있습니다.`,
  ],
  E_NO_RESULT: c => [
    `${c.run} 실행에는 아직 결과가 없습니다.`,
    '`dure status`로 확인하거나 `dure open`으로 작업 트리를 여세요.',
  ],
  E_NO_TESTS_TO_LAND: () => [
    '이 결과에 대해 실행된 베리파이어의 테스트가 없어 함께 반영할 수 없습니다.',
    '`--with-tests` 없이 승인하세요.',
  ],
  E_DRIVER_ALIVE: c => [
    `${c.run} 실행은 프로세스 ${c.pid}에서 진행 중입니다.`,
    `복구할 것이 없습니다. \`dure status\`로 확인하세요. 프로세스가 멈췄다면 \`kill -9 ${c.pid}\`로 종료한 뒤(손실되는 것은 없습니다) \`dure recover ${c.run}\`을 실행하세요.`,
  ],
  E_NOT_AT_WORK: c => [`${c.run}에서 실행 중인 ${c.agent} 에이전트가 없습니다.`, STATUS],
  E_NO_DRIVER: c => [
    `${c.run} 실행을 진행할 프로세스를 시작하지 못했습니다.${c.output ? ` 출력:\n${c.output}` : ''}`,
    '`dure recover`를 실행하거나 이 터미널에서 진행하세요: `dure serve`.',
  ],
  E_LEADER_SUSPENDED: c => [
    `이 프로젝트의 실행을 진행하는 프로세스(PID ${c.pid})가 일시 정지되어 있습니다.`,
    `\`kill -CONT ${c.pid}\`를 실행하거나 그 터미널에서 \`fg\`를 입력한 뒤 다시 시도하세요.`,
  ],
  E_OTHER_STATE_FOLDER: c => [
    `이 프로젝트의 실행을 진행하는 프로세스(PID ${c.pid})는 키를 ${c.theirs}에, 이 명령은 ${c.own}에 보관하므로 그 프로세스가 실행을 진행할 수 없습니다.`,
    'HOME과 XDG_STATE_HOME을 그 프로세스와 같게 설정하고, 같은 사용자로 명령을 실행하세요.',
    `또는 그 프로세스를 끝낸 뒤 다시 시도하세요: \`kill ${c.pid}\`.`,
  ],
  E_WAITING: c => [`${c.run} 실행에 입력이 필요합니다.`, `답하기: ${c.command}`],
  E_RUN_FAILED: c => [
    `${c.run} 실행이 실패했습니다: ${withFullStop(c.reason)}`,
    `무슨 일이 있었는지 확인하세요: \`dure logs ${c.run}\`.`,
  ],
  E_RUN_STOPPED: c => [
    `${c.run} 실행이 중지되었습니다: ${withFullStop(c.reason)}`,
    '새 실행을 시작하세요: `dure start`.',
  ],
  E_RUN_INTERRUPTED: c => [
    `${c.run} 실행이 중단되었습니다. 진행하는 프로세스가 없습니다.`,
    `이어 가기: \`dure recover ${c.run}\`.`,
  ],
  E_WAIT_TIMEOUT: c => [
    `${c.run} 실행은 ${c.seconds}초 뒤에도 아직 ${c.phase} 상태입니다.`,
    '`--timeout`으로 더 기다리거나 `dure status`로 확인하세요.',
  ],
  E_NOT_TAKEN: c => [
    `${c.run} 실행을 진행하는 프로세스가 이 요청을 아직 처리하지 않았습니다. 요청은 남아 있습니다.`,
    `\`dure status ${c.run}\`와 실행 폴더의 driver.log에서 이유를 확인한 뒤 \`dure recover ${c.run}\`을 실행하세요.`,
  ],
  E_COMMAND_UNKNOWN: c => [
    `${c.command}: 그런 dure 명령은 없습니다.`,
    c.near ? `\`dure ${c.near}\` 명령을 찾으셨나요?` : '`dure --help`로 확인하세요.',
  ],
  E_SPAN: c => [`${c.span}: 기간이 아닙니다.`, '숫자 뒤에 단위(s, m, h, d, w)를 붙이세요. 예: 30d.'],
  E_SPAN_RANGE: c => [`${c.span}: 쓸 수 없는 기간입니다.`, `${c.min}부터 ${c.max}까지 쓸 수 있습니다.`],
  E_KEPT: c => [
    `${c.run} 실행을 지우지 않았습니다. 이유는 위에 있습니다.`,
    c.idle
      ? '지워질 항목 보기: `dure clean --dry-run`. `--force`를 쓰면 끝나지 않았거나 병합되지 않은 실행도 지웁니다.'
      : `먼저 \`dure stop ${c.run}\`으로 중지한 다음 \`dure clean ${c.run}\`으로 지우세요.`,
  ],
  E_NOT_AGREED: c => [
    `실행 ${c.count}개를 지우려면 확인이 필요합니다.`,
    '먼저 `dure clean --dry-run`으로 미리 본 뒤, `--yes`를 붙여 실행하세요.',
  ],
  E_FOLDER_FULL: c => [`${c.dir} 폴더가 비어 있지 않습니다.`, '비어 있거나 아직 없는 폴더를 지정하세요.'],
  E_NO_PAGES: c => [
    `${c.project}의 페이지를 제공하는 프로세스가 없습니다.`,
    '.dure/server/started.log를 확인하거나, 터미널에서 `dure serve`를 실행해 출력을 확인하세요.',
  ],
  E_PORT: c => [
    `빈 포트가 없습니다. ${c.first}번부터 포트 ${c.tried}개를 확인했습니다.`,
    '다른 포트를 쓰세요: `dure serve --port PORT` 또는 .dure/config/global.json의 `web_port`.',
  ],
  E_NO_STREAM: c => [
    `${c.run} 실행에는 ${c.agent} 에이전트의 출력이 없습니다.`,
    c.known === '' ? '이 실행의 에이전트가 아직 시작되지 않았습니다.' : `출력이 있는 에이전트: ${c.known}.`,
  ],
  E_DOCTOR: c => [
    `실행하면 실패합니다: ${c.problems}.`,
    '위에 적힌 방법으로 고친 뒤 `dure doctor`를 다시 실행하세요.',
  ],
  E_DISK: c => [
    `${c.file} 파일을 ${c.reading ? '읽지' : '쓰지'} 못했습니다: ${withFullStop(c.why)}`,
    c.missing === true
      ? '폴더를 만든 뒤 다시 시도하세요.'
      : '디스크 공간을 확보하거나, 권한을 고치거나, 같은 경로에 있는 것을 옮긴 뒤 다시 시도하세요.',
  ],
};
