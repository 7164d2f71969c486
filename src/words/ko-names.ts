/** Names of phases, roles and kinds of failure, in Korean. */
const phases: Record<string, string> = {
  refine: '다듬기',
  build: '만들기',
  verify: '검증',
  gate: '판정',
  waiting_human: '답변 대기',
  ready_for_merge: '검토 대기',
  completed: '완료',
  failed: '실패',
  stopped: '중지됨',
  interrupted: '중단됨',
  unreadable: '읽을 수 없음',
};
const roles: Record<string, string> = {
  refiner: '리파이너',
  builder: '빌더',
  verifier: '베리파이어',
  gatekeeper: '게이트키퍼',
  dure: 'Dure',
};
const failures: Record<string, string> = {
  crash: '비정상 종료',
  timeout: '시간 초과',
  validation: '올바르지 않은 결과',
  permission: '권한 없음',
  resource: '자원 부족',
};

export const phase = (id: string): string => phases[id] ?? id;
export const roleName = (id: string): string => roles[id] ?? id;
export const failureName = (kind: string): string => failures[kind] ?? kind;

const inTerminal: Record<string, string> = {
  waiting_human: '답변을 기다림',
  ready_for_merge: '병합 준비됨',
  starting: '시작하는 중',
  unreadable: '읽을 수 없음',
};
/** Returns the name of a phase as the command line shows it. */
export const phaseInTerminal = (id: string): string => inTerminal[id] ?? phase(id);
