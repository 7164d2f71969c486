/** The Korean messages of `dure demo`. */
import type * as en from './en-demo.ts';

export const koDemo: typeof en.enDemo = {
  what: '리허설입니다. 네 에이전트는 미리 기록된 동작을 재생하므로 모델도, 키도, 네트워크도 쓰지 않습니다. 나머지는 모두 진짜입니다. git 작업 트리, 질문, Dure가 실행하는 테스트, 테스트가 찾아내는 실수, 병합 준비 자료, 그리고 병합까지.',
  sample: root => `예제 프로젝트: ${root}`,
  briefing: '브리핑:',
  approve: '승인하고 병합할까요? [Y/n] ',
  merged: '병합했습니다. 리허설이었습니다.',
  notMerged: '병합하지 않았습니다. 리허설이었습니다.',
  still: '모두 그대로 남아 있으니 살펴보세요:',
  project: '프로젝트',
  pack: '자료',
  forReal: '내 프로젝트에서 Claude Code로 실제 실행하려면:',
};
