/** What the commands for plugins are for, in Korean, with their arguments and flags. */
import type { CommandWords } from './ko-help.ts';

const verbose = 'npm이 하는 말을 보여 줍니다.';

export const plugins = {
  plugins: { summary: '설치하거나 연결한 플러그인을 보여 줍니다.' },
  'plugins:check': {
    summary: '플러그인이 무엇을 제공하는지, 무엇이 잘못되었는지 알려 줍니다. 만드는 사람을 위한 명령입니다.',
    args: { path: '플러그인의 폴더.' },
  },
  'plugins:inspect': {
    summary: '설치한 플러그인이 무엇을 제공하고 어디에 있는지 알려 줍니다.',
    args: { plugin: '플러그인의 이름.' },
  },
  'plugins:install': {
    summary: '플러그인과 그것이 의존하는 패키지를 설치합니다.',
    description:
      'npm 레지스트리의 패키지, 폴더, tarball, git 저장소를 설치할 수 있습니다. 폴더는 복사합니다. 있는 그대로 쓰려면 `plugins link`를 쓰세요.',
    args: { plugin: '플러그인의 이름, 폴더, tarball 또는 주소.' },
    flags: { force: '이미 있어도 새로 받습니다.', verbose },
  },
  'plugins:link': {
    summary: '폴더에 있는 플러그인을 그대로 씁니다. 만드는 사람을 위한 명령입니다.',
    description:
      '폴더에서 바꾼 것이 바로 적용됩니다. 의존하는 패키지는 폴더의 node_modules에 있어야 합니다. lockfile이 있으면 설치합니다.',
    args: { path: '플러그인의 폴더.' },
    flags: { install: 'lockfile에 적힌 것을 설치합니다.', verbose },
  },
  'plugins:reset': {
    summary: '설치하고 연결한 플러그인을 모두 뺍니다.',
    flags: { hard: 'npm이 보관하는 것도 지웁니다.', reinstall: '뺀 뒤 다시 설치하고 연결합니다.' },
  },
  'plugins:uninstall': {
    summary: '플러그인을 뺍니다. 연결한 폴더는 그대로 둡니다.',
    args: { plugin: '플러그인의 이름, 또는 연결한 폴더.' },
    flags: { verbose },
  },
  'plugins:update': { summary: '설치한 플러그인을 최신 버전으로 바꿉니다.', flags: { verbose } },
} satisfies Partial<CommandWords>;
