/** The Korean catalogue of the command line. Phase and role names are the same as in the web UI. */

import { koLines } from '../ko-defended-lines.ts';
import { koCheckStatus, koEvent } from '../ko-events.ts';
import { phaseInTerminal as phase } from '../ko-names.ts';
import { koAcceptedAs, koCriterionKind, koFileKind, koPackWarnings } from '../ko-pack.ts';
import { koQuestion } from '../ko-questions.ts';
import { koSandbox } from '../ko-sandbox.ts';
import { koLowered, koReason } from '../ko-verdict-and-run-reasons.ts';
import { ko as pages } from '../pages/ko.ts';
import type { CliWords } from './en.ts';
import { koApprove } from './ko-approve.ts';
import { koRecordedDecisions } from './ko-decision-proofs.ts';
import { koDemo } from './ko-demo.ts';
import { koDoctor } from './ko-doctor.ts';
import { errors } from './ko-errors.ts';
import { koClean, koInit } from './ko-init-clean.ts';

/** Korean labels for the question kinds that prompts suggest. Agents may use others. */
const KINDS: Readonly<Record<string, string>> = { clarification: '확인' };

export const koCli: CliWords = {
  event: koEvent,
  lowered: koLowered,
  reason: koReason,
  error({ code, context }) {
    const [message, ...suggestions] = (errors[code] as (c: unknown) => readonly [string, ...string[]])(
      context,
    );
    return { message, suggestions };
  },
  errorHead: '오류:',
  warningHead: '주의:',
  tryHead: '해결:',

  phase,
  role: id => pages.role(id),
  step: (role, step) => `${pages.role(role)}: ${pages.step(step) ?? step}`,
  status: id => pages.status(id),
  machine: id => pages.machine(id),
  check: koCheckStatus,
  regressions: n => `회귀 ${n}개`,
  units: { h: '시간', m: '분', s: '초' },
  round: (iteration, most) => `반복 ${iteration}/${most}`,
  fixing: n => `작은 수정 ${n}`,
  attempt: n => `${n}번째 시도`,
  costUnknown: '비용 알 수 없음',
  atLeast: usd => `최소 ${usd}`,
  ofBudget: (spent, budget) => `${spent} / ${budget}`,
  counts: ({ total, passed, failed, skipped }) =>
    `${total}개 중 ${passed}개 통과${failed ? `, ${failed}개 실패` : ''}${skipped ? `, ${skipped}개 건너뜀` : ''}`,
  covered: percent => `커버리지 ${percent}%`,

  status_view: {
    because: '이유',
    budget: '예산',
    lowered: (claimed, why) => `게이트키퍼의 판정은 ${claimed}, ${why}`,
    answer: crp => `답변이 필요한 질문이 있습니다 (${crp}).`,
    approval: '병합 준비 자료에 대한 결정이 필요합니다.',
    recovery: '진행하는 프로세스가 없습니다. 손실된 것은 없습니다.',
    damaged: '자동으로 재개되지 않습니다. 남은 내용을 확인하세요:',
    delayed: (who, reason) => `${who}: API 응답을 기다립니다 (${reason}).`,
    late: who => `${who}: 제한 시간을 넘겼지만 아직 실행 중입니다.`,
    broughtOver: from => `${from}에서 가져왔습니다.`,
  },
  progress: {
    setup: 'Dure가 작업 공간을 준비하는 중',
    proof: 'Dure가 테스트를 실행하는 중',
    exam: 'Dure가 테스트를 검토하는 중',
    checks: 'Dure가 프로젝트의 자체 점검을 실행하는 중',
    starting: '시작하는 중',
    goesOn: '계속됩니다',
    asks: '답변 대기',
    asked: '질문함',
  },
  question: {
    asks: who => `${pages.role(who)}의 질문`,
    kind: type => KINDS[type] ?? type,
    shown: koQuestion,
    recommended: '추천',
    risk: text => `위험: ${text}`,
    choice: (options, takes) =>
      `선택 (1-${options}${takes.words ? ', o: 직접 쓰기' : ''}${takes.amount ? ', $20: 이 금액만큼 추가' : ''}${takes.recommendation ? ', Enter: 추천' : ''}): `,
    ownWords: '직접 쓰세요: ',
    why: '이유는? (건너뛰려면 Enter) ',
    remember: '앞으로의 실행에도 적용할까요?',
    answerWith: '답하는 방법:',
  },
  ready: {
    title: '병합 준비됨',
    decide: '살펴본 뒤 결정하세요:',
  },
  sandbox: { ...koSandbox, unknown: '이유를 알 수 없음' },
  lines: koLines,
  criteria: {
    title: '인수 조건',
    kind: koCriterionKind,
    status: (status, tests) =>
      ({
        fails: '실패: 이 조건의 테스트가 결과에서 실패함',
        'could-not-run': '실행하지 못함',
        'not-claimed': '증명한 테스트 없음',
        passes: `테스트 ${tests}개가 결과에서 통과함`,
        confirmed: '확인됨',
        look: '테스트로 판단할 수 없음',
      })[status],
    unexamined: facts => `시험하지 않음: ${facts}`,
    cutShort: facts => `끝까지 시험하지 못함: ${facts}`,
    unconfirmed: (why, facts) => `확인되지 않음: ${why} (${facts})`,
    confirmed: (n, of) => `${of}개 중 ${n}개 확인됨`,
    looks: ({ before, rounds, noticed, proving }) =>
      `${before}→green ×${rounds}${noticed > 0 ? ` · 망가뜨린 버전 ${noticed}개에서 실패` : ''}${proving ? ` · 테스트 ${proving.of}개 중 ${proving.count}개가 증명` : ''}`,
    read: '읽을 곳',
    undefended: ({ lines, places, moved }) =>
      `테스트가 지키지 않는 ${lines > 0 ? `${lines}줄` : `${places}곳`}${moved > 0 ? ` (${moved}${lines > 0 ? '줄' : '곳'}은 위치만 옮김)` : ''}`,
    weak: lines => `약한 ${lines}줄`,
    exam: '시험',
    faults: (killed, tried) => `심은 결함 ${tried}개 중 ${killed}개를 테스트가 잡아냄`,
    unexaminedLines: '바뀐 줄을 검사하지 않았으므로, 어느 줄이 지켜지지 않는지 알 수 없습니다.',
    incomplete: lines =>
      lines > 0 ? `시간이 다 됨: 바뀐 줄 ${lines}개를 검사하지 못함` : '시간이 다 되어 모두 시도하지는 못함',
  },
  pack: {
    title: '병합 준비 자료',
    evidence: '증거',
    wholeSummary: '요약',
    summary: '요약 (mrp/summary.md)',
    or: flags => `또는 ${flags}`,
    keep: '이 자료에는 변경을 요청했으므로 승인할 수 없습니다. 그 결과를 브랜치에 남기려면:',
    tests: '테스트',
    byDure: result => `${result}, Dure가 실행함`,
    checks: '점검',
    noChecks: '실행된 것 없음: 프로젝트 자체의 테스트를 다시 실행하지 않았습니다',
    command: '명령',
    exit: code => (code === null ? '시그널로 종료' : `종료 코드 ${code}`),
    sandbox: '샌드박스',
    agents: '에이전트',
    kind: koFileKind,
    warning: koPackWarnings,
    author: '작성',
    coverage: '커버리지',
    unmeasured: '측정하지 않음',
    ofLines: percent => `모든 줄의 ${percent}%`,
    inNoReport: path => `${path}: 바뀌었지만 커버리지 보고서에 없음`,
    ofChanged: percent => `추가하거나 바꾼 줄의 ${percent}%`,
    verdict: '판정',
    acceptedAs: koAcceptedAs,
    iterations: '반복',
    decisions: '결정',
    none: '없음',
    cost: '비용',
    unknown: '알 수 없음',
    tree: '트리',
    on: (tree, base) => `${tree}, 기준 커밋 ${base}`,
    files: '파일',
    changed: n => `${n}개 바뀜`,
    more: n => `… ${n}개 더`,
    tooLarge: (megabytes, file) =>
      `너무 커서 표시할 수 없습니다: ${megabytes} MB. 전체는 ${file}에 있습니다.`,
  },
  start: {
    acceptCommands: '이번 실행부터 적용할까요?',
    what: '무엇을 할까요? ',
    notSetUp: '이 프로젝트는 아직 준비되지 않았습니다.',
    isUnlimited:
      '이 실행에는 비용 한도가 없습니다. 한도를 정하려면 `--budget USD`, 모든 실행에 정하려면 `dure config set budget_usd USD`를 쓰세요.',
    attach: command => `에이전트가 일하는 모습 보기: ${command}`,
    detached: command => `백그라운드에서 계속됩니다. 지켜보기:\n  ${command}`,
    otherPort: url => `페이지 서버가 이미 ${url}에서 실행 중입니다. --port는 서버가 없을 때만 적용됩니다.`,
    left: (run, watch, stop) =>
      `${run} 실행은 계속됩니다. 다시 지켜보거나 중지하려면:\n  ${watch}\n  ${stop}`,
    missing: files =>
      `기준 커밋의 다음 파일이 실행에 없습니다: ${files}. 해결 방법은 \`dure doctor\`에서 볼 수 있습니다.`,
    notIncluded: (files, more) =>
      `커밋하지 않은 변경은 들어 있지 않습니다: ${files}${more > 0 ? ` 외 ${more}개` : ''}. (--include-changes로 넣을 수 있습니다.)`,
  },
  goesOn: (run, command) => `${run} 실행이 이어집니다. 지켜보기:\n  ${command}`,
  buildsAgain: (run, command) => `${run} 실행이 의견을 반영해 다시 만듭니다. 지켜보기:\n  ${command}`,
  keepsEnvironment: (lacks, backend) =>
    lacks === 'credentials'
      ? `이 셸에는 ${backend}의 자격 증명이 없습니다: 실행은 지금의 환경을 그대로 씁니다.`
      : `이 셸에는 ${backend}에 필요한 IS_SANDBOX=1이 없습니다: 실행은 지금의 환경을 그대로 씁니다.`,
  editsSaved: ref =>
    `결과를 봉인한 뒤에 작업 트리가 수정되었습니다. 이 수정은 결과에 들어가지 않으며, git의 ${ref}에 저장되어 있습니다.`,
  isNow: (run, phase) => `${run}: ${phase}`,
  pages: {
    at: address => `페이지: ${address}`,
    opened: '브라우저에서 열었습니다.',
    write: address => `열리는 페이지에 할 일을 써 주세요: ${address}`,
  },
  suspended: pid =>
    `이 실행을 진행하는 프로세스(PID ${pid})가 일시 정지되어 있습니다. 다시 진행하려면 \`kill -CONT ${pid}\`를 실행하거나, 그 터미널에서 \`fg\`를 입력하세요.`,
  waitsForDriver: run => `${run} 실행을 진행하는 프로세스가 이 요청을 처리하기를 기다리는 중입니다…`,
  waits: (run, command) => `${run} 실행에 입력이 필요합니다: ${command}`,
  retried: (run, who) => `${run}: ${who} 다시 시작`,
  extended: (run, who, span) => `${run}: ${who} ${span} 연장`,
  noRuns: '아직 실행이 없습니다. 시작하려면: dure start "할 일"',
  imported: '(가져온 실행)',
  inbox: {
    empty: '확인이 필요한 실행이 없습니다.',
    heading: {
      answer: n => `질문 ${n}건`,
      approval: n => `검토할 병합 준비 자료 ${n}건`,
      time: n => `제한 시간을 넘긴 에이전트 ${n}건`,
      recovery: n => `중단된 실행 ${n}건`,
    },
    unread: n => `읽을 수 없는 실행 ${n}건`,
    waits: duration => `${duration}째 대기 중`,
  },
  decisions: koRecordedDecisions,
  verify: {
    log: 'events.log: 모든 줄이 앞 줄과 이어집니다',
    state: 'state.json이 events.log와 일치합니다',
    decisions: '기록된 결정의 증명과 서명이 유효합니다',
    seals: '봉인된 트리가 git에 온전히 있습니다',
    bundles: '봉인 번들을 풀 수 있습니다',
    pack: '병합 준비 자료가 만들어진 그대로입니다',
  },
  bundle: {
    written: (file, kilobytes, signed) =>
      `${file} 파일을 썼습니다 (${kilobytes} kB, ${signed ? '서명함' : '서명 없음'}). 다른 클론에서 확인: dure prove FILE`,
    needs: commits => `다른 클론에는 기준 커밋 ${commits}이(가) 있어야 합니다.`,
    pushed: remote => `${remote}에 병합 준비 자료를 푸시했습니다.`,
  },
  prove: {
    verdict: verdict =>
      ({
        CONFIRMED: '확인됨',
        REFUTED: '반증됨',
        'COULD NOT RUN': '실행 못 함',
        'NOT CLAIMED': '주장 없음',
        'NOT REFUTED': '반증 안 됨',
      })[verdict],
    opened: (run, criteria) =>
      `${run} 자료가 그 커밋과 일치합니다. 인수 조건 ${criteria}개의 테스트를 결과와 기준 커밋에서 실행합니다 …`,
    base: (base, branch, behind) =>
      branch === null
        ? `기준 커밋 ${base}: 이 저장소의 어느 브랜치에도 없음`
        : behind === 0
          ? `기준 커밋 ${base}: ${branch}의 최신 커밋`
          : `기준 커밋 ${base}: ${branch}에 있음, 커밋 ${behind}개 전`,
    sandbox: kind => (kind === 'none' ? '샌드박스 없음' : `샌드박스 ${kind}, 네트워크 없음`),
    signature: signature => (signature === 'none' ? '서명 없음' : `서명: ${signature}`),
    differs: what => `환경이 다름: ${what}`,
    prover: '자료 안의 prove.mjs는 이 버전의 Dure에 포함된 것과 다릅니다. 그 출력은 신뢰하지 마세요.',
    noChecks: '이 자료에는 프로젝트 자체의 점검이 하나도 없어, 다시 실행한 점검이 없습니다.',
    total: (confirmed, refuted, couldNotRun, notClaimed, seconds) =>
      `확인됨 ${confirmed}, 반증됨 ${refuted}, 실행 못 함 ${couldNotRun}, 주장 없음 ${notClaimed} · ${seconds}초`,
    quick: (notRefuted, refuted, couldNotRun, notClaimed, seconds) =>
      `반증 안 됨 ${notRefuted}, 반증됨 ${refuted}, 실행 못 함 ${couldNotRun}, 주장 없음 ${notClaimed} · ${seconds}초\n테스트를 결과와 기준 커밋에서 한 번씩만 실행했습니다. --quick 없이 실행해야 확인할 수 있습니다.`,
    kept: folder => `남겨 둠: ${folder}`,
  },
  recover: {
    none: '중단된 실행이 없습니다.',
    was: phase => `${phase} 중이었음`,
    how: (one, all) => `하나 이어 가기: ${one}, 모두: ${all}`,
    damaged: '로그가 손상됨',
    kept: (branch, commit) =>
      `${branch} 브랜치가 마지막으로 봉인된 결과(${commit})를 가리킵니다. 아무도 검토하거나 승인하지 않은 결과입니다.`,
  },
  serve: {
    standingBy: pid => `프로세스 ${pid}이(가) 이 프로젝트를 담당하고 있어, 이 프로세스는 대기합니다.`,
    taken: port => `포트 ${port}번은 이미 사용 중입니다.`,
    pages: url => `페이지: ${url}`,
    withoutPages: why => `페이지를 열 수 없습니다: ${why}`,
  },
  init: koInit,
  clean: koClean,
  doctor: koDoctor,
  config: {
    right: folder => `${folder}의 설정에 오류가 없습니다.`,
  },
  open: {
    shell: (run, folder) => `${run} 실행 결과의 사본: ${folder}. 이 셸을 종료하면 지워집니다.`,
    setUpFailed: problem => `설치에 실패했습니다: ${problem}`,
    notSealed: (run, refs) =>
      `이 폴더에서 수정해도 ${run} 실행의 봉인된 결과는 바뀌지 않습니다. 폴더를 되돌리거나 지우기 전에 수정한 내용을 git의 ${refs} 아래에 저장합니다.`,
  },
  approve: koApprove,
  plugins: {
    none: '설치된 플러그인이 없습니다.',
    unloadable: '불러올 수 없음',
  },
  demo: koDemo,
  setUp: {
    sandbox: '내 파일이 보이지 않는 샌드박스에서 에이전트를 실행할까요? (sandbox.mode standard)',
    sandboxSlow: '이 컴퓨터에서 샌드박스가 작동하는지 아직 확인하는 중입니다…',
    warning:
      '에이전트는 권한 확인 없이 실행됩니다 (CLI의 "bypass permissions"). 별도의 git 작업 트리에서 작업하고, 실행 폴더의 다른 파일을 바꾸면 Dure가 되돌립니다. 하지만 사용자 권한으로 실행되므로, 컨테이너 밖에서는 에이전트가 파일을 읽거나 네트워크를 사용하는 것을 막을 수 없습니다.',
    allow: '이 프로젝트에서 이를 허용하려면 "allow"를 입력하세요 (다른 입력: 나중에): ',
    consent: guide =>
      `에이전트는 아직 시작할 수 없습니다 (${guide} 참고).\n허용하려면: dure init --allow-bypass`,
  },
};
