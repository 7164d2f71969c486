/**
 * Help in Korean. Each command has words of its own for itself, its arguments and its flags; only what every command
 * has in common is said once. The compiler asks for what the manifest has and is not here.
 */
import type manifest from '../../../oclif.manifest.json';
import { own } from './ko-help-commands.ts';
import { plugins } from './ko-help-plugins.ts';

export const headings: Readonly<Record<string, string>> = {
  USAGE: '사용법',
  VERSION: '버전',
  TOPICS: '주제',
  COMMANDS: '명령',
  ARGUMENTS: '인자',
  FLAGS: '옵션',
  'GLOBAL FLAGS': '공통 옵션',
  DESCRIPTION: '설명',
  ALIASES: '별칭',
  EXAMPLES: '예',
};

export const about = '네 코딩 에이전트가 브리핑을 증명된 병합까지 이끕니다. 사람은 결정만 합니다.';

export const topics: Readonly<Record<string, string>> = {
  config: '설정을 보고, 바꾸고, 확인합니다.',
  plugins: '플러그인을 설치하고 관리합니다.',
};

export const common = {
  json: '결과를 JSON으로 출력합니다.',
  project: '프로젝트 폴더. 기본값: .dure 폴더가 있는 가장 가까운 위쪽 폴더.',
};

/** Captions of examples, by what they say in English. */
export const captions: Readonly<Record<string, string>> = {
  'Shows the question and asks.': '질문을 보여 주고 묻습니다.',
  'For scripts.': '스크립트에서.',
  'In your own words. To a question of Dure itself they take the recommended way.':
    '직접 쓴 말로 답합니다. Dure가 스스로 한 질문이면 추천을 따릅니다.',
  'More budget: $5 more. `--decision 5` says the same.':
    '예산을 5달러 더 줍니다. `--decision 5`도 같은 뜻입니다.',
  'Only look.': '보기만 합니다.',
  'In ~/.bashrc.': '~/.bashrc에 적습니다.',
  'In ~/.zshrc, after compinit.': '~/.zshrc에서 compinit 뒤에 적습니다.',
  'Once, for fish.': 'fish에서 한 번만.',
  'Set up, question by question.': '하나씩 물으며 준비합니다.',
  'Events as they come, until the run is over.': '실행이 끝날 때까지, 일어나는 대로.',
  'What the Builder says.': '빌더가 하는 말.',
  'One event a line, for scripts.': '한 줄에 이벤트 하나, 스크립트에서.',
  'From a file, in the background.': '파일에서 읽어, 뒤에서 진행합니다.',
  'From a pipe, taking what the agents recommend.': '파이프에서 읽고, 에이전트의 추천을 따릅니다.',
  'The whole state, for scripts.': '상태 전체, 스크립트에서.',
  'Before it is linked or published.': '연결하거나 배포하기 전에.',
};

type Known = Omit<typeof manifest.commands, '__complete'>;
type Texts<Name extends string, Keys extends PropertyKey> = [Keys] extends [never]
  ? unknown
  : Readonly<Record<Name, Readonly<Record<Keys, string>>>>;
type Description<C> = C extends { description: string } ? { description: string } : unknown;

export type CommandWords = {
  readonly [Id in keyof Known]: { readonly summary: string } & Description<Known[Id]> &
    Texts<'args', keyof Known[Id]['args']> &
    Texts<'flags', Exclude<keyof Known[Id]['flags'], keyof typeof common>>;
};

interface Said {
  readonly summary: string;
  readonly description?: string;
  readonly args?: Readonly<Record<string, string>>;
  readonly flags?: Readonly<Record<string, string>>;
}
const commands: Readonly<Record<string, Said>> = { ...own, ...plugins } satisfies CommandWords;

interface Described {
  summary?: string | undefined;
  description?: string | undefined;
}
/** A command as the manifest has it. */
export interface Command extends Described {
  readonly id: string;
  readonly args: Readonly<Record<string, Described>>;
  readonly flags: Readonly<Record<string, Described>>;
  examples?: readonly (string | { command: string; description: string })[] | undefined;
}

/** Replaces the words of a command by Korean ones. What strangers' plugins add keeps its own. */
export function translate(command: Command): void {
  const said = commands[command.id];
  if (!said) return;
  say(command, said.summary, said.description);
  for (const [name, arg] of Object.entries(command.args)) say(arg, undefined, said.args?.[name]);
  const flags: Readonly<Record<string, string>> = { ...common, ...said.flags };
  for (const [name, flag] of Object.entries(command.flags)) say(flag, undefined, flags[name]);
  command.examples = command.examples?.map(example =>
    typeof example === 'string'
      ? example
      : { ...example, description: captions[example.description] ?? example.description },
  );
}

function say(what: Described, summary: string | undefined, description: string | undefined): void {
  what.summary = summary;
  what.description = description;
}
