/** Generates `check.sh` of a merge-readiness pack. */
import type { Evidence } from '../../../formats/evidence.ts';
import { singleQuoted } from '../../../formats/text/shell-words.ts';

/** What `check.sh` is generated from. */
export interface CheckScript {
  readonly evidence: Evidence;
  readonly gitDir: string;
  /** Shell code that provides the package managers for set-up and tests. */
  readonly tools: string;
  /** Shell code that does the same as `workspace.setup`. */
  readonly setup: string | null;
  /** Folder in the repository in which set-up and tests run; empty for the root. */
  readonly directory: string;
}

/**
 * Generates a script that reproduces the proof anywhere: it checks out the sealed trees in an empty folder and runs
 * the same commands.
 */
export function checkScript({ evidence, gitDir, tools, setup, directory }: CheckScript): string {
  const { run_id, tree, tests_tree, test_command } = evidence;
  if (tests_tree === null) return '#!/bin/sh\necho "No tests were run on this result." >&2\nexit 1\n';
  return `#!/bin/sh
# Repeats the proof of ${run_id} in an empty folder: the result, its dependencies, the generated tests, the test command.
# Usage: ./check.sh [FOLDER]. With another clone of the repository: DURE_GIT=/path/to/.git ./check.sh
set -eu
git_dir="\${DURE_GIT:-${'$'}(printf %s ${singleQuoted(gitDir)})}"
top="\${1:-$(mktemp -d)}"
mkdir -p "$top"
top="$(cd "$top" && pwd -P)"
[ -z "$(ls -A "$top")" ] || { echo "$top is not empty" >&2; exit 2; }
here="$top"${directory === '' ? '' : `/${singleQuoted(directory)}`}
index="$(mktemp -d)"
trap 'rm -rf "$index"' EXIT

# Writes a tree into a folder, and overwrites nothing.
write() {
  rm -f "$index/index"
  GIT_INDEX_FILE="$index/index" git --git-dir="$git_dir" --work-tree="$2" read-tree "$1"
  (cd "$2" && GIT_INDEX_FILE="$index/index" git --git-dir="$git_dir" --work-tree="$2" checkout-index --all)
}

write ${tree} "$top"
git -C "$top" init --quiet
git -C "$top" add --all --force
git -C "$top" -c user.name=Dure -c user.email=dure@localhost commit --quiet --no-verify --no-gpg-sign --message result
${tools}${setup === null ? '' : `(\ncd "$here"\n${setup}) >&2\n`}tests=${tests_tree}
if git --git-dir="$git_dir" rev-parse --verify --quiet "$tests:tests" >/dev/null; then
  write "$tests:tests" "$top"
fi
${earlierLayout(test_command)}
PATH="$here/node_modules/.bin:$here/.venv/bin:$top/node_modules/.bin:$top/.venv/bin:$PATH"
export PATH CI=true NO_COLOR=1
cd "$here"
echo "in $here: "${singleQuoted(test_command)}
# Through a pipe: a command may open its standard output by name, which a socket does not allow.
{ sh -c ${singleQuoted(test_command)} && echo 0 >"$index/exit" || echo $? >"$index/exit"; } | cat
exit "$(cat "$index/exit")"
`;
}

const EARLIER = ['builder/output', 'verifier/tests'];

/** See `supportEarlierLayout` in add-tests-to-checkout.ts. */
const earlierLayout = (
  command: string,
): string => `if ${EARLIER.some(name => command.includes(name)) ? 'true' : `git --git-dir="$git_dir" grep -q -F ${EARLIER.map(name => `-e ${name}`).join(' ')} "$tests" -- :/tests`}; then
  [ -e "$here/builder" ] || { mkdir "$here/builder" && ln -s "$top" "$here/builder/output"; }
  [ -e "$here/verifier" ] || { mkdir -p "$here/verifier/tests" && write "$tests:tests" "$here/verifier/tests"; }
fi`;
