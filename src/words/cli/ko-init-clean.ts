/** The Korean messages of `init` and `clean`. */

import { phaseInTerminal } from '../ko-names.ts';
import type * as en from './en-init-clean.ts';

export const koInit: typeof en.enInit = {
  written: files => `만들었습니다: ${files}`,
  already: folder => `이 프로젝트는 이미 준비되어 있습니다: ${folder}`,
  agentsInSandbox: mode => `에이전트는 샌드박스에서 실행됩니다: sandbox.mode는 ${mode}`,
  agentsWithout: '에이전트는 샌드박스 없이 사용자 권한으로 실행됩니다: sandbox.mode는 off',
  recognized: (setting, shown, because) => `${setting}: ${shown}\n(근거: ${because})`,
  write: '.dure/config/global.json에 쓸까요?',
  notWritten: (setting, value) => `쓰지 않았습니다.\n나중에 하려면: \`dure config set ${setting} ${value}\``,
  leaveOut: ({ tool, file, how }) =>
    `.dure/ 아래 파일까지 읽는 도구: ${tool}. 제외하려면 ${how === 'add' ? `${file} 파일에 더하세요.` : `${file} 파일을 만들어 넣으세요.`}`,
  imports: folder => `${folder} 폴더에 Orchestral의 설정과 실행이 있습니다. 가져오려면:`,
  atTop: (root, directory) =>
    `저장소의 최상위 폴더는 ${root}입니다. 프로젝트를 그 폴더에 준비합니다${directory === '.' ? '' : `. 테스트와 점검은 ${directory} 폴더에서 실행합니다`}.`,
  setUpThere: '이대로 할까요? 아니라면 현재 폴더에 준비합니다.',
  next: '다음:',
  task: '할 일',
  check: '준비 명령, 점검, 로그인을 먼저 확인하려면:',
  orElse: '먼저 데모 실행을 처음부터 끝까지 보려면:',
};

export const koClean: typeof en.enClean = {
  nothing: '지울 것이 없습니다.',
  would: '지워질 실행',
  will: '지울 실행',
  stays: '남는 실행',
  more: n => `외 ${n}개`,
  half: ids => `이전에 일부만 지워진 실행의 나머지를 지웁니다: ${ids}`,
  ask: count => (count === 1 ? '이 실행을 지울까요?' : `이 실행 ${count}개를 지울까요?`),
  removed: count => `지웠습니다: ${count}개`,
  inGit: refs => `git에 남은 것: ${refs}`,
  stayed: (run, why) => `${run} 실행은 남습니다: ${why}`,
  why: why => {
    const phase = 'phase' in why ? phaseInTerminal(why.phase) : '';
    const name = 'name' in why ? why.name : '';
    return {
      unmarked: '파일이 없어졌거나 실행 폴더가 아닙니다. 남은 것을 지우려면 id와 함께 --force를 쓰세요',
      unexpected: `자신의 로그가 없고, 폴더에 Dure가 쓰지 않는 ${name}이(가) 있습니다. 필요한 내용을 옮기고 지운 뒤 명령을 다시 실행하세요`,
      'at-work': '이 실행을 진행하는 프로세스가 있습니다. 먼저 `dure stop`으로 중지하세요',
      unreadable: '읽을 수 없습니다. --force를 쓰면 지웁니다',
      'not-asked-for': `상태: ${phase}`,
      'too-young': '아직 오래되지 않았습니다',
      'brought-over': '다른 도구에서 가져온 것입니다. 지우려면 id를 쓰세요',
      unmerged: '결과를 병합하지 않았습니다. --force를 쓰면 지우고 브랜치는 남깁니다',
      'not-over': `상태: ${phase}. --force를 쓰면 지웁니다`,
    }[why.is];
  },
};
