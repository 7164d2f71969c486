/** The Korean messages of `dure approve`. */
import type { enApprove } from './en-approve.ts';

export const koApprove: typeof enApprove = {
  stillMerging: run =>
    `병합을 아직 기다리는 중입니다. git 훅과 필터는 오래 걸릴 수 있습니다. 실행이 진행 중인지는 \`dure status ${run}\`에서 볼 수 있습니다.`,
  continues: run =>
    `${run} 승인은 기록되었고, 이 명령이 끝나도 병합은 계속됩니다. 결과는 \`dure status ${run}\`에서 볼 수 있습니다.`,
  changed: names => `실행이 시작된 뒤에 다음 항목이 바뀌었습니다. 에이전트가 바꾸었을 수 있습니다:\n${names}`,
  accept: '그래도 승인할까요?',
  askTests: paths =>
    `이 결과에 대해 베리파이어의 테스트가 실행되었습니다. 프로젝트의 점검은 이 테스트 없이 실행되었습니다.\n${paths.slice(0, 10).join('\n')}\n이 파일 ${paths.length}개를 커밋에 넣을까요?`,
  withoutTests: n => `베리파이어의 테스트 파일 ${n}개는 넣지 않습니다. 넣으려면 --with-tests를 쓰세요.`,
};
