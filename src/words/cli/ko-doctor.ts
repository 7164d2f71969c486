/** The Korean messages of `doctor`. */
import { joinEnds, type OutputEnds } from '../../formats/text/output-head-and-tail.ts';
import type { enDoctor } from './en-doctor.ts';

export const koDoctor: typeof enDoctor = {
  fix: '해결:',
  trying: command => `기준 커밋에서 실행해 보는 중: ${command}`,
  well: '실행할 준비가 되었습니다.',
  warned: warnings => `실행할 수 있습니다. 위의 주의 사항 ${warnings}개를 확인하세요.`,
  quickly: '준비 명령, 점검, API는 확인하지 않았습니다. `dure doctor`를 실행하세요.',

  found: {
    git: version => [`git ${version}`],
    gitTooOld: version => [`git ${version}은(는) 너무 오래되었습니다.`, 'git 2.31 이상을 설치하세요.'],
    identity: () => ['git에 커밋에 쓸 이름이 설정되어 있습니다'],
    noIdentity: () => [
      'git에 이름과 이메일 주소가 설정되어 있지 않아 승인할 수 없습니다.',
      'git config --global user.name "이름" && git config --global user.email you@example.com',
    ],
    base: (name, commit) => [`실행은 ${name}(${commit})에서 시작합니다`],
    noBranch: commit => [
      `HEAD가 브랜치에 있지 않습니다(${commit}). 결과를 브랜치에 병합할 수 없습니다.`,
      '브랜치를 체크아웃하세요: `git switch BRANCH`.',
    ],
    noRepository: () => ['git 저장소가 없어서 파일을 복사해 시작합니다'],
    tmux: version => [`tmux ${version}`],
    noTmux: () => [
      'tmux 3.0 이상이 없습니다. 에이전트는 창 없이 실행되고 `dure attach`는 쓸 수 없습니다.',
      'tmux를 설치하세요.',
    ],
    sandbox: program => [`bubblewrap이 작동합니다(${program})`],
    noSandbox: why => [
      `${why}: 준비 명령, 테스트, 점검이 샌드박스 없이 실행되어 사용자 파일에 접근할 수 있습니다.`,
      'bubblewrap을 설치하고, 이 컴퓨터에서 사용자 네임스페이스를 허용하고, DURE_SANDBOX를 설정하지 마세요.',
    ],
    unusedSandbox: () => [
      '여기에서 샌드박스가 작동하지만, 에이전트는 샌드박스 없이 사용자 권한으로 실행됩니다',
      '설정하려면: `dure config set sandbox.mode standard`. 네트워크도 막으려면 `strict`.',
    ],
    folders: folders => [`쓸 수 있습니다: ${folders.join(', ')}`],
    space: (folder, free) => [`${folder}: ${gigabytes(free)} 남음`],
    littleSpace: (folder, free) => [
      `${folder}: ${gigabytes(free)}밖에 남지 않았습니다.`,
      '디스크 공간을 비우세요. `dure clean`은 오래된 실행을 지웁니다.',
    ],
    watches: () => ['파일 변경을 감시할 수 있습니다'],
    noWatches: code => [
      `파일 변경을 감시할 수 없어서(${code}) 1초마다 확인합니다.`,
      'sysctl로 fs.inotify.max_user_instances와 fs.inotify.max_user_watches를 늘리세요.',
    ],
    backend: seen => [seen || '준비됨'],
    fault: {
      missing: (program, fix) => [
        `${program}: PATH에서 찾지 못했습니다.`,
        fix ? `설치하세요: \`${fix}\`.` : '설치하세요.',
      ],
      login: (seen, fix) => [
        `로그인되어 있지 않습니다${seen && ` (${seen})`}`,
        fix ? `\`${fix}\`을(를) 실행하거나 환경 변수에 키를 설정하세요.` : '로그인하세요.',
      ],
      unreachable: (seen, fix) => [
        `API가 응답하지 않습니다(${seen}).`,
        fix ?? '네트워크, 프록시, API 주소를 확인하세요.',
      ],
      broken: (seen, fix) => [
        `실행되지 않습니다: ${seen}`,
        fix ? `다시 설치하세요: \`${fix}\`.` : '다시 설치하세요.',
      ],
    },
    noChecks: () => [
      '설정된 것이 없어, 실행에서 프로젝트 자체의 테스트를 다시 실행하지 않습니다',
      '테스트를 실행하는 명령을 추가하세요: `dure config set checks \'[{"name":"test","command":"…"}]\'`.',
    ],
    noSetup: () => ['준비 명령이 설정되어 있지 않습니다'],
    setup: command => [`기준 커밋에서 성공했습니다: ${command}`],
    setupLacks: (command, missing) => [
      `기준 커밋에서 성공했지만 다음 패키지를 설치하지 못했습니다: ${missing.join(', ')} (${command})`,
      '네트워크와 패키지 저장소를 확인하고, 더는 없는 패키지는 빼세요.',
    ],
    setupFails: (problem, output) => [
      `기준 커밋에서 실패합니다: ${problem}${below(output)}`,
      '명령을 고치세요: `dure config set workspace.setup "…"`.',
    ],
    buildFails: (builds, output) => [
      `이 빌드는 기준 커밋에서 실패하므로 실행에서 제외됩니다: ${builds}${below(output)}`,
      '빌드를 고치거나 workspace.setup에서 빼세요.',
    ],
    check: (command, passed) => [
      `기준 커밋에서 통과합니다: ${command}${passed === null ? '' : ` (${passed}개 통과)`}`,
    ],
    checkFails: (command, failed, output) => [
      `기준 커밋에서 실패합니다: ${command}${failed === null ? '' : ` (${failed}개 실패)`}. 결과는 새로 생긴 실패로만 판단합니다.${below(output)}`,
      '기준 커밋에서 고치거나 .dure/config/global.json의 `checks`를 바꾸세요.',
    ],
    checkCannotRun: (command, why, output) => [
      `기준 커밋에서 실행할 수 없습니다: ${command}: ${why}${below(output)}`,
      '.dure/config/global.json의 `checks`나 준비 명령을 고치세요.',
    ],
    submodules: paths => [`체크아웃되어 있습니다: ${paths}`],
    submodulesMissing: paths => [
      `체크아웃되어 있지 않아 실행에서는 빈 폴더입니다: ${paths}`,
      'git submodule update --init --recursive',
    ],
    filter: (command, files) => [`${command} (파일 ${files}개)`],
    noFilter: (name, files) => [
      `git에 필터 ${name}의 설정이 없어, 실행에서는 git에 저장된 내용이 그대로 보입니다(이 필터를 쓰는 파일 ${files}개).`,
      name === 'lfs'
        ? 'Git LFS를 설치한 뒤 `git lfs install`을 실행하세요.'
        : `filter.${name}을(를) 설정하세요.`,
    ],
    noFilterProgram: (name, program, files) => [
      `필터 ${name}이(가) 실행하는 프로그램이 없습니다: ${program} (이 필터를 쓰는 파일 ${files}개).`,
      '설치하세요.',
    ],
    ignored: () => ['.dure/ 아래 파일을 읽는 도구가 없습니다'],
    notIgnored: ({ tool, file, add, how }) => [
      `${tool}: .dure/ 아래 파일까지 읽습니다.`,
      how === 'add' ? `${file} 파일에 더하세요: ${add}` : `${file} 파일을 만들어 넣으세요: ${add}`,
    ],
    notSet: (setting, value, because) => [
      `설정되어 있지 않습니다. ${because}에서 찾은 값: ${value}`,
      `\`dure init\`으로 쓰거나 \`dure config set ${setting} …\`을 실행하세요.`,
    ],
    rules: files => [`프롬프트에 인용하는 파일: ${files}개`],
    rulesLeftOut: paths => [`인용하지 않거나 일부만 인용합니다: ${paths}`, '제한은 docs/rules.md를 보세요.'],
    mcpServer: what => [`에이전트와 함께 시작합니다: ${what}`],
    noMcpProgram: program => [
      `${program} 프로그램을 찾지 못해, 에이전트는 이 MCP 서버 없이 일합니다.`,
      '설치하거나 rules.mcp_servers에서 이름을 지우세요.',
    ],
  },
};

const gigabytes = (bytes: number): string => `${(bytes / 1e9).toFixed(1)} GB`;
const gap = (lines: number): string => `[… ${lines}줄 생략 …]`;
const below = (output: OutputEnds): string => {
  const shown = joinEnds(output, gap);
  return shown && `\n${shown}`;
};
