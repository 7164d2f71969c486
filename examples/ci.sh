#!/bin/sh
# Takes a briefing to a merge with nobody at hand: ci.sh BRIEFING [flags of `dure start`]
# It takes what is recommended and approves what passed; what needs a person ends it with status 3 and waits for them.
set -eu
ask_dure() { now=$(dure "$@" --json) || { code=$?; printf '%s\n' "$now" >&2; exit "$code"; }; }
is() { printf '%s' "$now" | node -p 'JSON.parse(fs.readFileSync(0, "utf8"))[process.argv[1]] ?? ""' "$1"; }

# A job of CI often stands on no branch: then the result is left on a branch of its own, to be pushed.
how=merge
git symbolic-ref -q HEAD >/dev/null || how=branch

ask_dure start "$@" --detach
run=$(is run_id)
while ask_dure wait "$run" --for human; do
  case "$(is waits_for)" in
    answer) ask_dure answer "$run" --yes ;;
    approval)
      [ "$(is verdict) $(is tests)" = 'PASS pass' ] || { echo "It did not pass: dure review $run" >&2; exit 3; }
      ask_dure approve "$run" --tree "$(is tree)" --how "$how" ;;
    *) break ;;
  esac
done
printf '%s\n' "$now"
