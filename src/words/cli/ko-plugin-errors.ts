/** Korean errors of plugins. */
import type { ErrorWords } from '../../errors.ts';

export const koPluginErrors = {
  E_PLUGIN: c => [
    `플러그인 ${c.plugin}: ${c.problem}`,
    `나머지는 이 플러그인 없이 계속됩니다. 고치거나 제거하세요: \`dure plugins uninstall ${c.plugin}\`.`,
  ],
  E_PLUGIN_FAULTY: c => [
    `${c.plugin}: 이대로는 동작하지 않습니다.\n${c.problems}`,
    '고친 뒤 다시 확인하세요. 플러그인이 제공할 수 있는 것은 docs/plugins.md에 있습니다.',
  ],
  E_PLUGIN_INSTALL: c => [
    `${c.plugin} 플러그인을 설치하지 못했습니다: ${c.why}`,
    '바뀐 것은 없습니다. `--verbose`를 쓰면 npm의 출력을 모두 보여 줍니다.',
  ],
  E_PLUGIN_PATH: c => [
    `${c.path}에는 플러그인이 없습니다: ${c.why}.`,
    'package.json이 있는 폴더나 tarball을 지정하세요.',
  ],
  E_PLUGIN_UNKNOWN: c => [
    `${c.plugin} 플러그인은 설치되어 있지 않습니다.`,
    `설치된 것: ${c.installed || '없음'}.`,
  ],
} satisfies Partial<ErrorWords>;
