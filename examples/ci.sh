#!/bin/sh
# Takes a briefing to a merge, unattended: ci.sh BRIEFING [flags of `dure start`]
# Accepts recommended answers and approves a result that passed. Exits with 3 if a person has to decide.
set -eu
ask_dure() { now=$(dure "$@" --json) || { code=$?; printf '%s\n' "$now" >&2; exit "$code"; }; }
is() { printf '%s' "$now" | node -p "JSON.parse(fs.readFileSync(0, 'utf8')).$1 ?? ''"; }

# CI jobs often have a detached HEAD. Then the result stays on its own branch, for you to push.
how=merge
git symbolic-ref -q HEAD >/dev/null || how=branch

ask_dure start "$@" --detach
run=$(is run_id)
while ask_dure wait "$run" --for human; do
  case "$(is waits_for)" in
    answer) ask_dure answer "$run" --yes ;;
    approval)
      [ "$(is 'verdict?.verdict') $(is 'tests?.machine')" = 'PASS pass' ] || { echo "It did not pass: dure review $run" >&2; exit 3; }
      ask_dure approve "$run" --tree "$(is tree)" --how "$how" ;;
    *) break ;;
  esac
done
printf '%s\n' "$now"
