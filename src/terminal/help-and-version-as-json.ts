/**
 * Supports `--help --json` and `--version --json`: oclif would answer these flags with text, without running a command,
 * so the call is redirected to the `help` or `version` command. This module is pure.
 */
export function redirectJsonHelp(
  argv: readonly string[],
  isTopic: (id: string) => boolean,
): readonly string[] {
  const end = argv.indexOf('--');
  const asked = end < 0 ? argv : argv.slice(0, end);
  if (!asked.includes('--json')) return argv;
  const words = asked.filter(word => !word.startsWith('-'));
  if (['--version', '-V'].includes(asked[0]!)) return ['version', '--json'];
  const wantsHelp = asked.some(word => ['--help', '-h'].includes(word));
  return wantsHelp || words.length === 0 || isTopic(words.join(':')) ? ['help', ...words, '--json'] : argv;
}
