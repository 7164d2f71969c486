/** Problems with a value are explained in plain sentences in both languages. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { globalConfig } from '../../src/formats/config/config-global.ts';
import { enIssue, koIssue, koOwnIssues } from '../../src/words/field-issues.ts';

const WRONG = {
  max_iterations: 500,
  max_consultations: 'x',
  tmux_session_prefix: 'a b',
  web_port: 1.5,
  log_level: 'x',
  roles: { 'A role': {} },
  notifications: { terminal_bell: 'yes' },
  auto_retry: { recoverable_errors: ['no'] },
  pipeline: '',
  pipelines: { 'A name': ['a'], none: [], text: 'y' },
  budget_usd: 0,
  limits: { launches: 0 },
  sandbox: { allow: ['a b', 'host:99999'] },
  workspace: { directory: '/x', setup: 3 },
  checks: [{ name: 'A', command: 'x'.repeat(4001), timeout_ms: 1, more: 1 }],
  commit: 3,
  rules: { mcp_servers: ['dure', '!'] },
};
/** The wording of the validator or of a programmer. */
const RAW = /pattern|regex|[<>=|]\d|"\||received|expected|invalid|\bint\b|\/\^/i;

test('an invalid setting is explained in plain sentences in both languages', () => {
  const { issues } = globalConfig.safeParse(WRONG).error!;
  const said = issues.map(issue => [issue.path.join('.'), enIssue(issue), koIssue(issue)] as const);
  expect(said.length).toBeGreaterThan(20);
  for (const [path, english, korean] of said) {
    if (!english.startsWith('Expected ')) expect(english, path).not.toMatch(RAW);
    expect(korean, path).toMatch(/[가-힣]/);
    expect(korean, path).not.toMatch(RAW);
  }
  expect(Object.fromEntries(said.map(([path, ...texts]) => [path, texts]))).toMatchObject({
    max_iterations: ['Use 50 or less', '50 이하로 적으세요'],
    web_port: ['Use a whole number', '정수를 적으세요'],
    budget_usd: ['Use a number greater than 0', '0보다 큰 수를 적으세요'],
    log_level: ['Use one of: debug, info, warn, error', '다음 중 하나를 적으세요: debug, info, warn, error'],
    'pipelines.none': ['Must not be empty', '비워 둘 수 없습니다'],
    'sandbox.allow.1': ['Expected a port up to 65535', '포트는 65535까지 쓸 수 있습니다'],
  });
});

test('every validation message for input that people write has a Korean translation', () => {
  const sources = [
    'formats/config/config-global',
    'formats/config/config-roles',
    'formats/schema/common-fields',
    'server/http-protocol',
  ];
  const messages = [...sources, 'server/question-and-action-protocol'].flatMap(name => {
    const text = readFileSync(join(import.meta.dirname, '../../src', `${name}.ts`), 'utf8');
    return [
      ...text.matchAll(/(?:\.(?:regex|refine)\((?:[^'\n]|'[^']{0,3}')*, |shortName\()'([^']{4,})'\)/g),
    ].map(([, message]) => message!);
  });
  expect(messages.length).toBeGreaterThan(15);
  expect(messages.filter(message => !(message in koOwnIssues))).toEqual([]);
});
