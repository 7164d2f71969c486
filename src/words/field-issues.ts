/** Describes what is wrong with a value that a person typed, and says what to type instead. */
import type { z } from 'zod';

type Issue = z.core.$ZodIssue;

interface IssueWords {
  readonly atMost: (n: number) => string;
  readonly lessThan: (n: number) => string;
  readonly atLeast: (n: number) => string;
  readonly moreThan: (n: number) => string;
  readonly longest: (n: number) => string;
  readonly empty: string;
  /** Keyed by the name of the type; `other` is the fallback. */
  readonly types: Readonly<Record<string, string>>;
  readonly oneOf: (values: string) => string;
  readonly unknownKey: string;
  readonly other: string;
  /** Adapts or translates a format's own message, which is in English. */
  readonly own: (message: string) => string;
}

export const enIssue = (issue: Issue): string => issueText(issue, en);
export const koIssue = (issue: Issue): string => issueText(issue, ko);

function issueText(issue: Issue, w: IssueWords): string {
  switch (issue.code) {
    case 'too_big': {
      const most = Number(issue.maximum);
      if (!isNumber(issue.origin)) return w.longest(most);
      return issue.inclusive === false ? w.lessThan(most) : w.atMost(most);
    }
    case 'too_small': {
      const least = Number(issue.minimum);
      if (!isNumber(issue.origin)) return w.empty;
      return issue.inclusive === false ? w.moreThan(least) : w.atLeast(least);
    }
    case 'invalid_type':
      return w.types[issue.expected] ?? w.other;
    case 'invalid_value':
      return w.oneOf(issue.values.map(String).join(', '));
    case 'unrecognized_keys':
      return w.unknownKey;
    case 'invalid_key':
      return issue.issues[0] ? issueText(issue.issues[0], w) : w.other;
    case 'custom':
    case 'invalid_format':
      return issue.message.startsWith('Invalid ') ? w.other : w.own(issue.message);
    default:
      return w.other;
  }
}

const isNumber = (origin: string) => ['number', 'int', 'bigint'].includes(origin);

const en: IssueWords = {
  atMost: n => `Use ${n} or less`,
  lessThan: n => `Use a number less than ${n}`,
  atLeast: n => `Use ${n} or more`,
  moreThan: n => `Use a number greater than ${n}`,
  longest: n => `Too long: the maximum length is ${n}`,
  empty: 'Must not be empty',
  types: {
    number: 'Use a number',
    int: 'Use a whole number',
    string: 'Use text',
    boolean: 'Use true or false',
    array: 'Use a list',
    object: 'Use a JSON object',
    record: 'Use a JSON object',
  },
  oneOf: values => `Use one of: ${values}`,
  unknownKey: 'Unknown key',
  other: 'Not a valid value',
  own: message => message.charAt(0).toUpperCase() + message.slice(1),
};

const ko: IssueWords = {
  atMost: n => `${n} 이하로 적으세요`,
  lessThan: n => `${n}보다 작은 수를 적으세요`,
  atLeast: n => `${n} 이상으로 적으세요`,
  moreThan: n => `${n}보다 큰 수를 적으세요`,
  longest: n => `너무 깁니다. 최대 ${n}`,
  empty: '비워 둘 수 없습니다',
  types: {
    number: '숫자를 적으세요',
    int: '정수를 적으세요',
    string: '글자로 적으세요',
    boolean: 'true 또는 false를 적으세요',
    array: '목록으로 적으세요',
    object: 'JSON 객체로 적으세요',
    record: 'JSON 객체로 적으세요',
  },
  oneOf: values => `다음 중 하나를 적으세요: ${values}`,
  unknownKey: '알 수 없는 키',
  other: '올바른 값이 아닙니다',
  own: message => koOwnIssues[message] ?? message,
};

/** Korean translations of the messages for formats that people type, keyed by the English message. */
export const koOwnIssues: Readonly<Record<string, string>> = {
  'expected a name such as quick': 'quick처럼 영문 소문자로 시작하는 이름을 입력하세요',
  'expected a name such as claude': 'claude처럼 영문 소문자로 시작하는 이름을 입력하세요',
  'expected a name such as lint': 'lint처럼 영문 소문자로 시작하는 이름을 입력하세요',
  'expected up to 40 letters, digits, - or _': '영문자, 숫자, -, _를 40자까지 쓸 수 있습니다',
  'expected a command such as npm ci': 'npm ci처럼 실행할 명령을 적으세요',
  'expected a host such as registry.npmjs.org': 'registry.npmjs.org 같은 호스트를 적으세요',
  'expected a port up to 65535': '포트는 65535까지 쓸 수 있습니다',
  'expected a path inside the repository': '저장소 안의 상대 경로를 적으세요',
  'expected a trailer such as Co-authored-by: Name <email>':
    'Co-authored-by: 이름 <이메일> 같은 형식으로 적으세요',
  'expected the name of a folder in .claude/skills': '.claude/skills에 있는 폴더의 이름을 적으세요',
  'expected the name of an MCP server': 'MCP 서버의 이름을 적으세요',
  'the name `dure` is reserved for the server that Dure adds':
    'dure는 Dure가 추가하는 서버의 이름입니다. 다른 이름을 적으세요',
  'expected a run id such as run-20260131-142233': 'run-20260131-142233 같은 실행 id를 적으세요',
  'expected an id such as crp-001': 'crp-001 같은 id를 적으세요',
  'expected an id such as vcr-001': 'vcr-001 같은 id를 적으세요',
  'expected a git object id': 'git 객체 id를 적으세요',
  'expected a role such as builder': 'builder 같은 역할을 적으세요',
  'before the first line': '첫 줄보다 앞입니다',
  'Describe what to do.': '할 일을 적으세요.',
};
