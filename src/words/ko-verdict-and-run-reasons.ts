/**
 * Translates Dure's reasons into Korean: why it lowered a verdict, what the exam shows about a criterion, and why an
 * iteration began or a run ended. They are recorded in English. Text from agents, people and other programs is not
 * translated.
 */
const LOWERED = /(\S+) became (FAIL|MINOR_FAIL|NEEDS_HUMAN): ([\s\S]*)/;

/** Translates Dure's reason for lowering a verdict, but not an agent's reason that precedes it. */
export const koLowered = (text: string): string =>
  text.replace(
    LOWERED,
    (_, from, to, whys: string) => `${from} → ${to}: ${whys.split('; ').map(koReason).join('; ')}`,
  );

/** Translates why an iteration began, or why a run was interrupted or ended, but not an agent's reason. */
export function koOccasion(text: string): string {
  const [pattern, korean] = KO_OCCASIONS.find(([known]) => known.test(text)) ?? [];
  return pattern === undefined ? koLowered(text) : text.replace(pattern, korean!);
}

export const KO_OCCASIONS: readonly (readonly [RegExp, string])[] = [
  [/^changes were requested$/, '수정을 요청함'],
  [/^a person granted one more iteration$/, '한 번 더 반복하기로 함'],
  [/^the person stopped it \((\S+)\)$/, '사람이 중지함 ($1)'],
  [/^stopped by a person$/, '사람이 중지함'],
  [/^no process drove the run for a while$/, '한동안 실행을 진행한 프로세스가 없음'],
  [/^the driver was told to exit$/, '실행을 진행하던 프로세스가 종료됨'],
  [/^the result conflicts with the new base in (.+)$/, '결과가 새 기준 커밋과 충돌함: $1'],
];

/** Translates one reason. */
export function koReason(reason: string): string {
  const [pattern, korean] = KO_REASONS.find(([known]) => known.test(reason)) ?? [];
  if (pattern === undefined) return reason;
  return typeof korean === 'string'
    ? reason.replace(pattern, korean)
    : reason.replace(pattern, (_, ...groups: string[]) => korean!(...groups));
}

/** How a test that passes on base ends on the result. */
const OUTCOMES: Readonly<Record<string, string>> = {
  fails: '실패함',
  'is no longer reported': '결과가 더 이상 나오지 않음',
  'is now skipped': '이제 건너뜀',
  'cannot be run': '실행할 수 없음',
  'no longer names any test': '더 이상 테스트 이름을 출력하지 않음',
};
const OUTCOME = Object.keys(OUTCOMES).join('|');
const OF_A_TEST = new RegExp(` (${OUTCOME})(?=, | and \\d+ more$|$)`, 'g');

const checkFails = (check = '', how = '') => `점검 ${check}: 기준 커밋에서는 통과하지만 ${OUTCOMES[how]}`;
const testsFail = (check = '', count = '', tests = '') =>
  `점검 ${check}: 기준 커밋에서 통과하는 테스트 ${count}개: ${tests
    .replace(OF_A_TEST, (_, how: string) => ` ${OUTCOMES[how]}`)
    .replace(/ and (\d+) more$/, ' 외 $1개')}`;
const unproven = (id = '', why?: string) =>
  `${id} 증명되지 않음${why === undefined ? '' : `: ${koReason(why)}`}`;

type Korean = string | ((...groups: string[]) => string);

/** If a pattern has no `$`, the text after the match is kept, such as a message in parentheses. */
export const KO_REASONS: readonly (readonly [RegExp, Korean])[] = [
  [/^the tests were not run on this result/, '이 결과에서 테스트를 실행하지 않음'],
  [/^the tests were not run/, '테스트를 실행하지 않음'],
  [/^the tests could not be run/, '테스트를 실행할 수 없음'],
  [/^no step of the pipeline (\S+) runs tests/, '파이프라인 $1에 테스트를 실행하는 단계가 없음'],
  [/^(\d+) of (\d+) tests failed/, '테스트 $2개 중 $1개 실패'],
  [/^tests failed/, '테스트 실패'],
  [
    /^([\d.]+)% of the added and changed lines are covered, below the minimum of ([\d.]+)%/,
    '추가하거나 바꾼 줄의 커버리지가 $1%로, 기준인 $2%보다 낮음',
  ],
  [
    /^the tests noticed ([\d.]+)% of the planted faults, below the minimum of ([\d.]+)%/,
    '테스트가 심어 둔 결함의 $1%만 찾아내, 기준인 $2%보다 적음',
  ],
  [new RegExp(`^the check (.+?) (${OUTCOME})(?:, but| and) passes on base`), checkFails],
  [/^in the check (.+?), (\d+) tests? that pass(?:es)? on base regressed: ([\s\S]*)$/, testsFail],
  [/^(\S+) is not proven(?:: ([\s\S]*))?$/, unproven],
  [/^no tests were recorded on this result/, '이 결과에 기록된 테스트가 없음'],
  [
    /^its test passes without the change if .*/,
    '추가한 줄을 주석, 문자열, 매개변수, 실행되지 않는 코드로만 넣어도 테스트가 통과함',
  ],
  [/^its test passes without the change too/, '변경 없이도 테스트가 통과함'],
  [/^its test is skipped without the change/, '변경 없이는 테스트를 건너뜀'],
  [
    /^its test also fails without the change, .*/,
    '변경 없이도 테스트가 실패하므로, 기존 동작을 유지하는지 알 수 없음',
  ],
  [
    /^its test file cannot be loaded without the change, .*/,
    '변경 없이는 테스트 파일을 불러올 수 없어, 변경 전에도 통과하는지 알 수 없음',
  ],
  [/^its test fails if only .*/, '결과에 주석과 공백만 추가하거나 소스 텍스트를 숨기면 테스트가 실패함'],
  [/^no fault that was tried .* fail\b/, '변경에 심어 본 결함 중 어느 것도 테스트를 실패하게 하지 않음'],
  [
    /^its test passes if the changed functions work as before .*/,
    '함수가 이전처럼 동작하고 새 함수가 비어 있어도 테스트가 통과하며, 다른 결함도 찾지 못함',
  ],
  [/^its test passes even if .*/, '단언을 뒤집어도 테스트가 통과함'],
  [
    /^its test file cannot be loaded with its assertions negated/,
    '단언을 뒤집으면 테스트 파일을 불러올 수 없음',
  ],
  [/^its test is missing from the report .*/, '단언을 뒤집으면 테스트의 결과가 나오지 않음'],
  [/^Dure cannot negate any assertion of its test.*/, 'Dure가 뒤집을 수 있는 단언이 없음'],
  [/^the result can tell whether it is being tested: (.*)/, '결과의 코드가 테스트 중인지 알아낼 수 있음: $1'],
  [
    /^its tests need test settings .*, such as (.*)/,
    '테스트에 필요한 테스트 설정이나 데이터를 결과가 바꿈, 예: $1',
  ],
  [/^its test does not always pass/, '테스트가 항상 통과하지는 않음'],
  [/^its test does not give the same result .*/, '기준 커밋에서 테스트 결과가 매번 같지는 않음'],
  [
    /^its test was not reported on base with .*/,
    '추가한 줄을 주석으로만 넣은 기준 커밋에서 이 테스트의 결과가 나오지 않음',
  ],
  [
    /^its test was not reported on the result with .*/,
    '주석을 추가한 결과에서 이 테스트의 결과가 나오지 않음',
  ],
  [
    /^its test was not reported in every test run on the result/,
    '결과에서 여러 번 실행했을 때, 이 테스트의 결과가 나오지 않은 적이 있음',
  ],
  [/^its test was not reported on base/, '기준 커밋에서 이 테스트의 결과가 나오지 않음'],
  [/^it has the same tests as (\S+)/, '$1의 테스트와 같음'],
  [/^the names of its tests change from run to run/, '테스트 이름이 실행할 때마다 바뀜'],
  [/^its tests are skipped/, '테스트를 건너뜀'],
  [
    /^no reported test names it, .*/,
    '이 조건을 언급하는 테스트의 결과가 나오지 않았고, 보고가 완전하지 않음',
  ],
  [/^the tests that claim it were not reported/, '이 조건에 지정된 테스트의 결과가 나오지 않음'],
  [/^no reported test names it/, '이 조건을 언급하는 테스트가 없음'],
  [/^the test command does not report its tests by name.*/, '테스트 명령이 테스트 이름을 출력하지 않음'],
  [
    /^the exam reads none of the changed files: .*/,
    '바뀐 파일 중에 시험할 수 있는 코드가 없음: 테스트, 생성된 파일, 또는 지원하지 않는 언어',
  ],
  [/^its tests may depend on .*/, '시험할 수 없는 바뀐 파일에 테스트가 의존할 수 있음'],
  [/^the exam ran out of time .*/, '모두 시험하기 전에 시간이 다 됨'],
  [/^on base: the test command failed .*/, '기준 커밋에서 테스트 명령이 테스트 결과를 출력하기 전에 실패함'],
  [/^on base: no test was reported/, '기준 커밋에서 결과가 나온 테스트가 없음'],
];
