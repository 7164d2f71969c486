/**
 * Attempts to show one thing and merge another, or to leave something in the user's repository that git or Dure runs
 * later. Shell scripts run in the run folder; `$ROOT` is the project. In each, the result is a file with `hello`.
 */
import { writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { privateKeys } from '../../src/core/run/record/hmac-key.ts';
import { signed } from '../../src/core/run/requests/decision-proof.ts';
import { chainWith } from '../../src/formats/events/event-log-lines.ts';
import type { RunEvent } from '../../src/formats/events/events.ts';
import type { TestRun } from '../e2e/scratch-project.ts';
import { chainWithoutKey, logText, withoutKey } from '../helpers/log-text.ts';

/**
 * `held`: what was shown is merged, and the forgery has no effect. `named`: the approval names it and asks.
 * `passes`: it has its effect, but what is merged is still what the pack shows.
 */
export type RepositoryFate = 'held' | 'named' | 'passes';

export interface RepositoryForgery {
  readonly id: string;
  readonly what: string;
  readonly fate: RepositoryFate;
  /** Script of the Builder or Verifier, before its flag. */
  readonly builder?: string;
  readonly verifier?: string;
  /** What a process of the same user does once the pack is there: a script, or what no script can do. */
  readonly ready?: string | ((run: TestRun) => void | Promise<void>);
  /** What an agent in a sandbox tries instead of the latter. */
  readonly inSandbox?: string;
  /** True when the forgery itself approves. */
  readonly approves?: true;
}

const GIT = 'git --git-dir="$ROOT/.git"';
/** The blob and the commit of the sealed result. */
const SEALED = `commit=$(${GIT} rev-parse "refs/heads/dure/$(basename "$PWD")"); blob=$(${GIT} rev-parse "$commit:greeting.txt")`;
const EVIL = `evil=$(echo evil | ${GIT} hash-object -w --stdin)`;
const AS = '-c user.name=x -c user.email=x@localhost';

/** Rewrites the log with another reason for the verdict. */
async function rewriteLog(
  run: TestRun,
  chained: Parameters<typeof logText>[1],
  change = (events: readonly RunEvent[]) => events,
): Promise<void> {
  const events = (await run.events()).map(event =>
    event.type === 'verdict.given' ? { ...event, reason: 'forged' } : event,
  );
  writeFileSync(run.files.events, logText(change(events), chained));
  await rm(run.files.state);
}

export const REPOSITORY_FORGERIES: readonly RepositoryForgery[] = [
  {
    id: 'g01',
    what: 'The diff, the files and the summary of the pack are rewritten',
    fate: 'held',
    ready: 'echo "# Fine" > mrp/summary.md; echo > mrp/changes.patch; echo good > mrp/code/greeting.txt',
  },
  {
    id: 'g03',
    what: 'A process writes an approval once the pack is there',
    fate: 'held',
    approves: true,
    ready: `tree=$(${GIT} rev-parse "refs/heads/dure/$(basename "$PWD")^{tree}"); echo '{"asked_at":"'$(date -u +%Y-%m-%dT%H:%M:%S.000Z)'","tree":"'$tree'","how":"merge"}' > requests/approve.json`,
  },
  {
    id: 'g03c',
    what: 'A process writes an approval with a proof made with the key, which was read from the state folder',
    fate: 'passes',
    approves: true,
    async ready(run) {
      const state = await run.state();
      const tree = state.mrp!.tree;
      const request = {
        asked_at: new Date().toISOString(),
        tree,
        how: 'merge',
        tests: 'leave',
        hooks: 'run',
      };
      const by = { who: 'Ann', through: 'terminal', nonce: '0'.repeat(32) } as const;
      const forged = JSON.stringify(signed(state, 'approve', request, by));
      writeFileSync(run.files.request('approve'), forged);
    },
  },
  {
    id: 'g04',
    what: 'The Builder writes an answer before its question',
    fate: 'held',
    builder: `mkdir -p vcr; echo '{"vcr_id":"vcr-001","crp_id":"crp-001","created_at":"2026-01-01T00:00:00.000Z","decision":"x","rationale":"","applies_to_future":false}' > vcr/vcr-001.json; sleep 0.2; rm vcr/vcr-001.json`,
  },
  {
    id: 'g06',
    what: 'A replace ref shows another blob in the place of the sealed one',
    fate: 'named',
    ready: `${SEALED}; ${EVIL}; ${GIT} replace -f $blob $evil`,
  },
  {
    id: 'g06b',
    what: 'A replace ref shows another commit in the place of the sealed one',
    fate: 'named',
    ready: `${SEALED}; ${EVIL}; tree=$(printf '100644 blob %s\\tgreeting.txt\\n' $evil | ${GIT} mktree); other=$(echo x | ${GIT} ${AS} commit-tree $tree); ${GIT} replace -f $commit $other`,
  },
  {
    id: 'g06c',
    what: 'The object file of the sealed blob is overwritten',
    fate: 'held',
    ready: `${SEALED}; file="$ROOT/.git/objects/$(echo $blob | cut -c1-2)/$(echo $blob | cut -c3-)"; rm -f "$file"; node -e 'require("fs").writeFileSync(process.argv[1], require("zlib").deflateSync("blob 5\\0evil\\n"))' "$file"`,
  },
  {
    id: 'g07',
    what: 'The branch and the seals of the run are moved to another commit',
    fate: 'held',
    ready: `${EVIL}; tree=$(printf '100644 blob %s\\tgreeting.txt\\n' $evil | ${GIT} mktree); other=$(echo x | ${GIT} ${AS} commit-tree $tree -p main); run=$(basename "$PWD"); for ref in $(${GIT} for-each-ref --format='%(refname)' refs/dure/$run refs/heads/dure); do ${GIT} update-ref $ref $other; done`,
  },
  {
    id: 'g08',
    what: 'The Verifier deletes branch and seals, and all objects that no ref needs',
    fate: 'held',
    verifier: `run=$(basename "$PWD"); ${GIT} worktree list > /dev/null; rm -rf "$ROOT/.git/worktrees"; for ref in $(${GIT} for-each-ref --format='%(refname)' refs/dure refs/heads/dure); do ${GIT} update-ref -d $ref; done; ${GIT} reflog expire --expire=now --all; ${GIT} gc --quiet --prune=now`,
  },
  {
    id: 'g09',
    what: 'The Builder plants a git hook',
    fate: 'named',
    builder:
      'mkdir -p "$ROOT/.git/hooks"; printf "#!/bin/sh\\ntouch $ROOT/planted\\n" > "$ROOT/.git/hooks/post-commit"; chmod 755 "$ROOT/.git/hooks/post-commit"',
  },
  {
    id: 'g10',
    what: 'The Builder sets core.hooksPath, core.fsmonitor and diff.external',
    fate: 'named',
    builder: `for key in core.hooksPath core.fsmonitor diff.external; do ${GIT} config $key "$ROOT/../planted"; done`,
  },
  {
    id: 'g11',
    what: 'The Builder includes another configuration file, which sets core.worktree',
    fate: 'named',
    builder: `printf '[core]\\n\\tworktree = /tmp\\n' > "$ROOT/../more"; ${GIT} config include.path "$ROOT/../more"`,
  },
  {
    id: 'g14',
    what: 'The driver is killed, and the log rewritten with chain values made without the key',
    fate: 'held',
    ready: run => rewriteLog(run, chainWithoutKey),
  },
  {
    id: 'g14b',
    what: 'The driver is killed, and the log rewritten so that it names no key',
    fate: 'held',
    ready: run => rewriteLog(run, chainWithoutKey, withoutKey),
  },
  {
    id: 'g14c',
    what: 'The driver is killed, and the log rewritten with the key, which was read from the state folder',
    fate: 'passes',
    ready: run => rewriteLog(run, chainWith(privateKeys()[0]!)),
    inSandbox:
      'kill -9 "$(grep -o "pid[^0-9]*[0-9]*" driver.json | grep -o "[0-9]*$")"; sed -i s/PASS/forged/ events.log; rm state.json; mkdir -p requests; echo {} > requests/approve.json',
  },
  {
    id: 'g15',
    what: 'A process outlives the run',
    fate: 'held',
    builder: `env -i setsid sh -c 'while [ ! -e mrp/summary.md ]; do sleep 0.1; done; touch "$1/planted"' sh "$ROOT" > /dev/null 2>&1 &`,
  },
  {
    id: 'g16',
    what: "The Builder moves the user's branch",
    fate: 'held',
    builder: `${EVIL}; tree=$(printf '100644 blob %s\\tother.txt\\n' $evil | ${GIT} mktree); ${GIT} update-ref refs/heads/main $(echo x | ${GIT} ${AS} commit-tree $tree -p main)`,
  },
  {
    id: 'g17',
    what: 'The objects of the result come from an alternate that disappears',
    fate: 'named',
    builder: `mkdir -p "$ROOT/../elsewhere"; echo "$ROOT/../elsewhere" > "$ROOT/.git/objects/info/alternates"; GIT_OBJECT_DIRECTORY="$ROOT/../elsewhere" git --git-dir="$ROOT/.git" hash-object -w builder/output/greeting.txt`,
    ready: 'rm -rf "$ROOT/../elsewhere"',
  },
  {
    id: 'g18',
    what: 'The Builder configures a filter that writes other bytes and hides it from git',
    fate: 'named',
    builder: `${GIT} config filter.x.smudge 'sed s/hello/evil/'; ${GIT} config filter.x.clean 'sed s/evil/hello/'; mkdir -p "$ROOT/.git/info"; echo 'greeting.txt filter=x' > "$ROOT/.git/info/attributes"`,
  },
  {
    id: 'g19',
    what: 'The Builder configures a set-up command for the next run',
    fate: 'named',
    builder: `echo '{"workspace":{"setup":"touch planted"}}' > "$ROOT/.dure/config/global.json"`,
  },
];
