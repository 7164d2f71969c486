/** Korean one-line descriptions of events. Text from agents and people is not translated. */
import type { EventOf, RunEvent } from '../formats/events/events.ts';
import { deciding, type EventSentences, eventSentence } from './en-events.ts';
import { megabytes, money, spanIn } from './format-amounts.ts';
import { koMergeReason } from './ko-merge-refusals.ts';
import { failureName, phase, roleName } from './ko-names.ts';
import { koQuestionText } from './ko-questions.ts';
import { koLowered, koOccasion } from './ko-verdict-and-run-reasons.ts';

export const koEvent = (e: RunEvent): string => eventSentence(SENTENCES, e);

const SENTENCES: EventSentences = {
  'run.started': e => `${e.run_id} 시작`,
  'run.interrupted': e => `중단됨 (${phase(e.phase)}): ${koOccasion(e.reason)}`,
  'run.resumed': e => `재개됨 (${phase(e.phase)})`,
  'run.delayed': e =>
    e.message !== undefined
      ? `오류로 지연됨, 다시 시도합니다: ${e.message}`
      : `디스크 대기: ${e.file} 사용 불가, ${DISK[e.why] ?? e.why}${
          e.file_system === null || e.free_bytes === null
            ? ''
            : ` (${e.file_system}, 남은 공간 ${megabytes(e.free_bytes)})`
        }`,
  'run.continued': () => '계속: 문제가 해결됨',
  'workspace.prepared': e => `작업 공간 준비 완료, ${span(e.duration_ms)}`,
  'agent.started': e => `${who(e)} 시작, 반복 ${e.iteration}, 시작 번호 ${e.launch}`,
  'agent.completed': e =>
    `${who(e)} 완료, ${span(e.duration_ms)}${e.criteria ? `, 인수 조건 ${e.criteria.list.length}개` : ''}`,
  'agent.failed': e => `${who(e)} 실패 (${failureName(e.kind)}): ${e.message}`,
  'agent.timeout': e => `${who(e)} 제한 시간 초과 (${span(e.after_ms)} 경과): ${ON_TIMEOUT[e.action]}`,
  'agent.extended': e => `${who(e)} 시간 연장, ${span(e.ms)}`,
  'agent.retried': e => `${who(e)} 요청대로 다시 시작`,
  'agent.waits': e => `${who(e)} ${e.until}까지 대기: ${e.message}`,
  'agent.delayed': e => `${who(e)} API 응답 대기: ${e.reason}`,
  'agent.continued': e => `${who(e)} 계속: API가 다시 응답함`,
  'agent.exited': e =>
    `${who(e)} 종료 (시작 번호 ${e.launch}): ${OUTCOME[e.outcome]}${e.message ? `, ${OWN[e.message] ?? e.message}` : ''}${
      e.usage?.cost_usd == null ? '' : `, ${money(e.usage.cost_usd)}`
    }`,
  'tests.executed': tested,
  'exam.executed': examined,
  'checks.executed': e =>
    `프로젝트 자체 점검: ${e.checks.map(({ name, status, regression_count: n }) => `${name} ${koCheckStatus(status)}${n > 0 ? ` (${n}개)` : ''}`).join(', ')}`,
  'verdict.given': e =>
    `게이트키퍼의 판정 ${e.verdict}${e.lowered ? `, 낮춤 (${koLowered(e.lowered)})` : ''}: ${e.reason}`,
  'crp.created': e =>
    `${e.why === 'question' ? roleName(e.agent) : 'Dure'}의 질문 (${e.crp_id}): ${koQuestionText(e.why, e.question)}`,
  'vcr.created': e =>
    `${e.crp_id}에 대한 답: ${e.decision}${e.amount_usd ? ` $${e.amount_usd}` : ''}${e.rationale ? ` (${e.rationale})` : ''}`,
  'iteration.started': e => `반복 ${e.iteration} 시작: ${koOccasion(e.reason)}`,
  'iteration.exhausted': e => `반복 ${e.iteration} 이후 남은 반복 없음: ${koOccasion(e.reason)}`,
  'mrp.created': e =>
    e.remade
      ? `검토 자료가 바뀌어 있어서 다시 만들었습니다: ${e.remade.join(', ')}`
      : `검토할 수 있습니다${e.cost_usd === null ? '' : `, 비용 ${money(e.cost_usd)}`}`,
  'mrp.rejected': e => `수정 요청: ${e.summary}`,
  'approval.refused': e => `승인을 처리하지 못했습니다: ${koMergeReason(e.reason)}`,
  'run.rebased': rebased,
  'rebase.refused': e => `리베이스하지 않음: ${koMergeReason(e.reason)}`,
  'exam.extended': e => `테스트 검토를 최대 ${span(1000 * e.budget_s)} 동안 이어서 합니다`,
  'decision.refused': e =>
    `무시됨: ${e.file}에는 유효한 결정 증명이 없습니다. 대신 ${deciding(e.file)} 명령을 사용하세요`,
  'key.replaced': e => `실행의 키를 새로 바꿨습니다. 그 전의 이벤트 ${e.events}개는 확인하지 못했습니다`,
  'run.completed': completed,
  'run.failed': e => `실행 실패: ${koOccasion(e.reason)}`,
  'run.stopped': e => `실행 중지: ${koOccasion(e.reason)}`,
};

const ON_TIMEOUT: Record<EventOf<'agent.timeout'>['action'], string> = {
  warn: '계속합니다. `dure extend`로 시간을 더 주거나, `dure retry`로 다시 시작하거나, `dure stop`으로 실행을 끝낼 수 있습니다',
  retry: '다시 시작합니다',
  stop: '사람이 결정합니다',
};

const DISK: Readonly<Record<string, string>> = {
  'the disk is full': '디스크가 가득 참',
  'the disk quota is used up': '디스크 할당량을 다 씀',
  'the disk is read-only': '읽기 전용 디스크',
  'the disk reports an input/output error': '디스크 입출력 오류',
};
const OUTCOME: Record<EventOf<'agent.exited'>['outcome'], string> = {
  ok: '정상',
  error: '오류',
  deferred: '보류',
  'rate-limited': '사용량 제한',
  'disk-full': '디스크 공간 부족',
  budget: '예산 초과',
  silent: '출력 없음',
  stopped: '중지',
  lost: '사라짐',
};
/** Dure's own messages about how a launch ended; any other text comes from the agent. */
const OWN: Readonly<Record<string, string>> = {
  'waits for an answer': '답을 기다립니다',
  done: '끝남',
  'it printed nothing for too long': '너무 오랫동안 아무것도 출력하지 않았습니다',
  stopped: '중지됨',
  pass: '통과',
  fail: '실패',
  'could-not-run': '실행하지 못함',
};

const STEP: Record<string, string> = {
  prepare: '작업 공간 준비',
  generate: '베리파이어 (테스트 작성)',
  execute: '테스트 실행',
  exam: '테스트 검토',
  checks: '프로젝트 자체 점검',
  analyse: '베리파이어 (결과 분석)',
};
const who = (e: { agent: string; step: string }) => STEP[e.step] ?? roleName(e.agent);

function rebased({ onto, base, conflicts, same_patch }: EventOf<'run.rebased'>): string {
  const place = `${onto}(${base.slice(0, 10)})에 리베이스함`;
  if (conflicts.length > 0) return `${place}, 충돌: ${conflicts.map(({ path }) => path).join(', ')}`;
  return `${place}: ${same_patch ? '변경 내용이 그대로입니다' : '변경 내용이 달라져 다시 판정합니다'}`;
}

function tested(e: EventOf<'tests.executed'>): string {
  const { passed, failed, total } = e.counts ?? { passed: 0, failed: 0, total: 0 };
  return {
    pass: `테스트 통과: ${total}개 중 ${passed}개${e.changed_coverage !== undefined ? `, 바뀐 줄의 커버리지 ${e.changed_coverage}%` : e.coverage === null ? '' : `, 커버리지 ${e.coverage}%`}`,
    fail: `테스트 실패: ${total}개 중 ${failed}개`,
    'could-not-run': `테스트를 실행하지 못함: ${e.problem ?? '이유를 알 수 없음'}`,
    'not-run': '테스트를 실행하지 않음',
  }[e.machine];
}

function examined({ criteria, problem }: EventOf<'exam.executed'>): string {
  if (problem !== undefined) return `테스트를 검토하지 못함: ${problem}`;
  const counted = criteria.filter(({ status }) => status !== 'look');
  const confirmed = counted.filter(({ status }) => status === 'confirmed').length;
  const failed = counted.filter(each => each.failed !== undefined);
  return `테스트 검토: 조건 ${counted.length}개 중 ${confirmed}개 확인됨${failed.map(({ id, reason }) => `; ${id}: ${reason}`).join('')}`;
}

const CHECK_STATUS: Readonly<Record<EventOf<'checks.executed'>['checks'][number]['status'], string>> = {
  pass: '통과',
  regression: '깨짐',
  'red-on-base': '기준 커밋에서도 실패',
  'could-not-run': '실행하지 못함',
};
export const koCheckStatus = (status: string): string =>
  (CHECK_STATUS as Readonly<Record<string, string>>)[status] ?? status;

function completed(e: EventOf<'run.completed'>): string {
  const tests =
    e.tests === undefined
      ? ''
      : ` (베리파이어의 테스트 파일 ${e.tests}개 포함, 프로젝트의 점검은 이 테스트 없이 실행됨)`;
  if (e.merged) return `완료: ${e.into ?? '프로젝트'}에 병합됨${tests}`;
  const place = e.into ?? '실행의 브랜치';
  if (e.how !== 'pr') return `완료: 결과는 ${place}에 있습니다${tests}`;
  return e.opened === false
    ? `완료: 브랜치를 푸시했습니다${tests}. 풀 리퀘스트 열기: ${e.url ?? '저장소 페이지'}`
    : `완료: 풀 리퀘스트 ${e.url ?? place}${tests}`;
}

const span = spanIn({ h: '시간', min: '분', s: '초' });
