/** Korean errors of the configuration. */
import type { ErrorWords } from '../../errors.ts';

export const koConfigErrors = {
  E_CONFIG: c => [
    `설정에 오류가 있습니다.\n${c.problems}`,
    '.dure/config 아래의 파일을 고치세요. 없는 파일은 `dure init`이 만듭니다.',
  ],
  E_CONFIG_VALUE: c => [
    `이 값은 쓸 수 없습니다.\n${c.problems}`,
    '바뀐 것은 없습니다. 쓸 수 있는 값은 docs/configuration.md에 있습니다.',
  ],
  E_CONFIG_KEY: c => [
    `${c.key}: 그런 설정은 없습니다.`,
    c.known ? `사용할 수 있는 설정: ${c.known}.` : '상위 설정에 하위 항목이 없습니다.',
  ],
  E_CONFIRM: c => [`무엇이 어떤 권한으로 실행되는지가 바뀝니다: ${c.keys}.`, '한 번 더 보고 확인해 주세요.'],
} satisfies Partial<ErrorWords>;
