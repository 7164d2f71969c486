/**
 * Every error that Dure shows to the user: code, exit status, message and suggestions. Anything else that is thrown is
 * a bug and keeps its stack trace. A failure of an agent is not an error here but an event (`agent.failed`).
 */
export const EXIT = { failed: 1, usage: 2, waiting: 3, refused: 4, interrupted: 5 } as const;
type Exit = keyof typeof EXIT;
type ErrorText = readonly [exit: Exit, message: string, ...tryThis: string[]];

/** What a user typed, in quotes if it is blank, so that the message names something. */
export const asTyped = (text: string): string => (text.trim() === '' ? `"${text}"` : text);

/** Adds a full stop if there is none: some messages that become reasons end in one, others do not. */
export const withFullStop = (reason: string): string => (/[.!?…]$/.test(reason) ? reason : `${reason}.`);

const ERRORS = {
  E_NOT_A_PROJECT: (c: { dir: string }) => [
    'usage',
    `No Dure project was found in ${c.dir} or its parent folders.`,
    'Run `dure init` in the project.',
  ],
  E_RUN_NOT_FOUND: (c: { run: string }) => ['usage', `Run ${c.run} not found.`, 'See `dure history`.'],
  E_RUN_FILES_GONE: (c: { run: string; branch: string | null }) => [
    'failed',
    `The files of ${c.run} are gone.${c.branch ? ` Its result is on branch ${c.branch}.` : ''}`,
    `Remove what is left in git, except an unmerged branch: \`dure clean ${c.run} --force\`.`,
  ],
  E_RUN_AMBIGUOUS: (c: { name: string; runs: string }) => [
    'usage',
    `${c.name} matches more than one run: ${c.runs}.`,
    'Type more of the id.',
  ],
  E_NO_RUNS: () => ['usage', 'There are no runs yet.', 'Start one: `dure start "what to do"`.'],
  E_RUN_ID: (c: { run: string }) => [
    'usage',
    `${c.run} is not a run id.`,
    'A run id looks like run-20260131-142233; see `dure history`.',
  ],
  E_FILE_INVALID: (c: { file: string; problems: string }) => [
    'failed',
    `${c.file} is not valid:\n${c.problems}`,
    'Fix the file and try again. Nothing was changed.',
  ],
  E_FILE_UNREADABLE: (c: { file: string; why: string }) => [
    'failed',
    `${c.file} cannot be read: ${withFullStop(c.why)}`,
    'Check that this is a regular file and that you have permission to read it.',
  ],
  E_FILE_MISSING: (c: { file: string }) => [
    'failed',
    `${c.file} not found.`,
    'Check the name and the current folder.',
  ],
  E_LOG_CORRUPT: (c: { run: string; file: string; line: number | null; why: string }) => [
    'failed',
    `${c.file} was changed or damaged: ${c.line === null ? '' : `line ${c.line}, `}${withFullStop(c.why)}`,
    `Dure does not automatically resume a run with a damaged log. \`dure recover ${c.run}\` says what is left and how to continue.`,
  ],
  E_RUN_DAMAGED: (c: {
    run: string;
    log: string;
    intact: number;
    last: string | null;
    lost: number | null;
    sealed: string | null;
  }) => [
    'failed',
    `${c.log}\n` +
      (c.intact
        ? `Intact events: ${c.intact} (last: ${c.last}). Later events lost: ${c.lost ?? 'all'}.\n`
        : 'No event is intact.\n') +
      (c.sealed ? `Last sealed result: ${c.sealed}.` : 'No sealed result is left.'),
    ...(c.intact
      ? [`Resume from before the damage (later steps run again): \`dure recover ${c.run} --how rewind\`.`]
      : ['The run cannot be resumed from this log. If you have an intact copy of events.log, put it back.']),
    c.sealed
      ? `Keep just the sealed result, as a branch: \`dure recover ${c.run} --how branch\`.`
      : `The briefing is in .dure/runs/${c.run}/briefing/raw.md.`,
  ],
  E_VERIFY: (c: {
    run: string;
    damaged: string;
    log: boolean;
    state: boolean;
    decisions: boolean;
    seals: boolean;
    bundles: boolean;
    pack: boolean;
  }) => [
    'failed',
    `Files of ${c.run} are damaged or changed: ${c.damaged}.`,
    ...(c.log ? [`See what is left of the log, and how to continue: \`dure recover ${c.run}\`.`] : []),
    ...(c.state ? ['You need not repair state.json: Dure rebuilds it from the log when necessary.'] : []),
    ...(c.decisions
      ? [
          `Compare the decisions with what the log records: \`dure logs ${c.run} --json\`. Do not rely on any that are invalid.`,
        ]
      : []),
    ...(c.seals
      ? [
          `Dure restores seals from their bundles before it uses them. Keep the result now: \`dure recover ${c.run} --how branch\`.`,
        ]
      : []),
    ...(c.bundles
      ? ['Bundles are only copies: nothing is lost as long as the seals in git are complete.']
      : []),
    ...(c.pack
      ? [
          `If the pack is waiting for approval, \`dure approve ${c.run}\` recreates it and merges nothing. To see its original files: \`git show refs/dure/packs/${c.run}:summary.md\`.`,
        ]
      : []),
  ],
  E_CONFIG: (c: { problems: string }) => [
    'usage',
    `The configuration is not valid:\n${c.problems}`,
    'Fix the files in .dure/config. `dure init` creates missing ones.',
  ],
  E_CONFIG_VALUE: (c: { problems: string }) => [
    'usage',
    `This value is not valid:\n${c.problems}`,
    'Nothing was changed. docs/configuration.md lists the allowed values.',
  ],
  E_BRIEFING_EMPTY: () => ['usage', 'The briefing is empty.', 'Describe the task: `dure start "…"`.'],
  E_BRIEFING_TWICE: () => [
    'usage',
    'Both a briefing and --file were given.',
    'Use one of them: `dure start "…"` or `dure start --file FILE`.',
  ],
  E_PIPELINE: (c: { pipeline: string; problem: string }) => [
    'usage',
    `The pipeline ${c.pipeline} cannot run: ${c.problem}.`,
    'Choose another one with `--pipeline`, or correct `pipelines` in .dure/config/global.json; docs/plugins.md lists the steps.',
  ],
  E_BUDGET: (c: { budget: string }) => [
    'usage',
    `${c.budget} is not a valid amount in US dollars.`,
    'Use a number greater than zero, such as 2.50.',
  ],
  E_TREE: (c: { tree: string }) => [
    'usage',
    `${c.tree} is not the id of a tree.`,
    'Use the id that `dure review` shows: hexadecimal, 8 or more digits.',
  ],
  E_BACKEND_UNKNOWN: (c: { name: string; known: string }) => [
    'usage',
    `Unknown backend ${c.name}.`,
    `Known backends: ${c.known}.`,
  ],
  E_CONSENT: (c: { guide: string }) => [
    'refused',
    'Agents run without permission prompts, and this project does not allow that yet.',
    'Run them in a sandbox, if one works here: `dure init --sandbox strict`.',
    `Read ${c.guide}, then allow it: \`dure init --allow-bypass\`.`,
    'Inside a container or sandbox, set IS_SANDBOX=1 instead.',
  ],
  E_SANDBOX: (c: { mode: string; why: string }) => [
    'refused',
    `The agent sandbox does not work: ${withFullStop(c.why)}`,
    'Install bubblewrap (`apt install bubblewrap`), allow user namespaces on this machine, and leave DURE_SANDBOX unset. `dure doctor` shows whether the sandbox works.',
    `Or run agents without a sandbox: \`dure config set sandbox.mode off\` (now: ${c.mode}).`,
  ],
  E_SANDBOX_SLOW: (c: { program: string; why: string }) => [
    'refused',
    `Dure could not determine whether the sandbox of ${c.program} works: ${withFullStop(c.why)}`,
    'The machine may be very busy. Try again later; nothing was run without the sandbox.',
    'To run tests and checks without a sandbox, set DURE_SANDBOX=none in the shell from which you call Dure; with `dure prove`, use `--sandbox none`.',
  ],
  E_GIT: (c: { command: string; stderr: string }) => [
    'failed',
    `git ${c.command} failed: ${c.stderr}`,
    'See the message from git. Your files were not changed.',
  ],
  E_GIT_PROGRAM: (c: { command: string; program: string }) => [
    'failed',
    `git ${c.command} needs ${c.program}, which was not found.`,
    `Install ${c.program}. \`dure doctor --quick\` shows which git filter uses it.`,
  ],
  E_GIT_MISSING: () => ['failed', 'git was not found.', 'Install git 2.31 or newer.'],
  E_STATE_FOLDER: (c: { why: string }) => [
    'failed',
    `Dure cannot use any folder outside the project for checkouts: ${withFullStop(c.why)}`,
    'Set XDG_STATE_HOME to a folder that you own, outside any project.',
  ],
  E_KEY: (c: { run: string; why: string }) => [
    'failed',
    `The log of ${c.run} cannot be checked: ${withFullStop(c.why)}`,
    'If the key still exists, restore it, or set HOME and XDG_STATE_HOME as they were when the run was started.',
    `Continue with a new key (the pack will list what was not checked): \`dure recover ${c.run} --how rekey\`.`,
    `Keep only the last sealed result, as branch dure/${c.run}: \`dure recover ${c.run} --how branch\`.`,
    `Remove the run: \`dure clean ${c.run} --force\`.`,
  ],
  E_LINK_INTO_CHECKOUT: (c: { link: string; target: string }) => [
    'failed',
    `${c.link} is a link into your working tree (${c.target}), so tests would read files that are not part of the result.`,
    'Make the link relative, or remove it.',
  ],
  E_TESTS_IN_THE_WAY: (c: { path: string; existing: string }) => [
    'failed',
    `The test ${c.path} cannot be added: ${c.existing} already exists.`,
    'Ask the Verifier to choose another name.',
  ],
  E_BASE: (c: { base: string }) => [
    'usage',
    `${c.base} is not a commit.`,
    'Give a branch, tag or commit id.',
  ],
  E_BRANCH_PREFIX: (c: { branch: string }) => [
    'usage',
    `The branch ${c.branch} exists, so git cannot create ${c.branch}/run-…, the branch of a run.`,
    `Rename it: \`git branch -m ${c.branch} NEW-NAME\`.`,
  ],
  E_TMUX: (c: { why: string }) => [
    'failed',
    `tmux failed: ${withFullStop(c.why)}`,
    'Start with `--launcher process` to run without tmux.',
  ],
  E_NOT_IN_TMUX: (c: { run: string }) => [
    'refused',
    `The agents of ${c.run} do not run in tmux, so there is nothing to attach to.`,
    `Watch the run: \`dure watch ${c.run}\`.`,
    `See an agent's output: \`dure logs ${c.run} --agent builder --follow\`.`,
  ],
  E_NO_SESSION: (c: { run: string; phase: string }) => [
    'refused',
    `${c.run} (${c.phase}) has no tmux session. A run's session ends with the run.`,
    `See what happened: \`dure logs ${c.run}\`.`,
    `If the run is interrupted, resume it: \`dure recover ${c.run}\`.`,
  ],
  E_RUN_OVER: (c: { run: string; phase: string; pack: boolean }) => [
    'refused',
    `${c.run} is over (${c.phase}).`,
    ...(c.pack ? [`Its merge-readiness pack is kept: \`dure review ${c.run}\`.`] : []),
    'Start a new run: `dure start`.',
  ],
  E_NOT_WAITING: (c: { run: string; phase: string }) => [
    'refused',
    `${c.run} has no open question (${c.phase}).`,
    'See `dure status`.',
  ],
  E_CRP_UNKNOWN: (c: { crp: string; open: string }) => [
    'usage',
    `${c.crp} is not the open question.`,
    `Open: ${c.open}.`,
  ],
  E_ANSWERED: (c: { crp: string; decision: string }) => [
    'refused',
    `${c.crp} has already been answered: ${c.decision}.`,
    'Only the first answer counts. See `dure status`.',
  ],
  E_OPTION_UNKNOWN: (c: { decision: string; options: string }) => [
    'usage',
    `${c.decision} is not one of the options.`,
    `Options: ${c.options}. For any other answer, use --decision OTHER with --rationale.`,
  ],
  E_WORDS_ALONE: (c: { crp: string; options: string }) => [
    'usage',
    `${c.crp} needs a choice: text alone does not answer it. Nothing was recorded.`,
    `Choose an option (${c.options}); for the budget question, \`dure answer --decision 20\` grants $20 more. Add a comment with --rationale.`,
  ],
  E_AMOUNT_UNASKED: (c: { crp: string; decision: string }) => [
    'usage',
    `${c.crp} does not take an amount with the decision ${c.decision}.`,
    'Only the answer to the budget question takes an amount, as in `dure answer --decision raise --amount 20`.',
  ],
  E_NO_ANSWER: (c: { crp: string; recommended: boolean }) => [
    'waiting',
    `${c.crp} is waiting for a decision.`,
    c.recommended
      ? 'Answer with `dure answer --decision ID`, or accept the recommendation with `--yes`.'
      : 'Answer with `dure answer --decision ID`.',
  ],
  E_NOT_READY: (c: { run: string; phase: string }) => [
    'refused',
    `${c.run} has no merge-readiness pack to review (${c.phase}).`,
    c.phase === 'waiting_human' ? `Answer its question: \`dure answer ${c.run}\`.` : 'See `dure status`.',
  ],
  E_PACK_MOVED: (c: { seen: string; now: string }) => [
    'refused',
    `The pack has changed since you saw it: the tree was ${c.seen} and is now ${c.now}.`,
    'Review it again: `dure review`.',
  ],
  E_BUNDLE_SIGN: (c: { why: string }) => [
    'refused',
    `The pack could not be signed: ${withFullStop(c.why)}`,
    'Load the key with `ssh-add`, or leave the pack unsigned: `dure bundle --no-sign`.',
  ],
  E_PACK_UNKNOWN: (c: { run: string; pack: number }) => [
    'refused',
    `${c.run} has no pack ${c.pack}.`,
    'Packs are numbered from 1.',
  ],
  E_PROVE_SOURCE: (c: { source: string }) => [
    'usage',
    `${c.source} is not a run, a bundle, a pack folder, or a commit in this repository.`,
    'Run `dure prove` in a clone of the repository, with the file that `dure bundle` wrote.',
  ],
  E_PROVE_ACCEPT: (c: { kind: string }) => [
    'usage',
    `${c.kind} is not a verdict that can be accepted.`,
    'Use `--accept not-claimed`, `--accept could-not-run` or `--accept not-claimed,could-not-run`.',
  ],
  E_PROVE_CRITERION: (c: { criterion: string; known: string }) => [
    'usage',
    `The pack has no criterion ${c.criterion}.`,
    `Its criteria: ${c.known}.`,
  ],
  E_PROVE_BASE: (c: { commits: string }) => [
    'refused',
    `This clone lacks the commits that the pack is based on: ${c.commits}.`,
    'Fetch them, or ask for a bundle with the history: `dure bundle --full`.',
  ],
  E_PROVE_PACK: (c: { why: string }) => [
    'refused',
    `The pack cannot be read: ${withFullStop(c.why)}`,
    'Ask its author for a new file from `dure bundle`.',
  ],
  E_PROVE_DIFFERS: (c: { file: string; why: string }) => [
    'refused',
    `The pack does not match its commits: ${c.file} (${c.why}).`,
    'It was changed after Dure created it. Do not trust it.',
  ],
  E_PROVE_NO_TESTS: (c: { run: string }) => [
    'refused',
    `No tests were run on the result of ${c.run}, so there is nothing to repeat.`,
    "Read the changes yourself: run `git show` on the pack's commit.",
  ],
  E_PROVE_SANDBOX: (c: { why: string }) => [
    'refused',
    `No sandbox is available for the pack's tests: ${withFullStop(c.why)}`,
    'Install bubblewrap (`apt install bubblewrap`) and allow user namespaces.',
    'In a disposable container, run `dure prove --sandbox none`. The tests can then read your files and use the network.',
  ],
  E_PROVE_REFUTED: (c: { run: string; criteria: string }) => [
    'failed',
    `Some claims in the pack of ${c.run} do not hold here: ${c.criteria}.`,
    'Run the command again with `--verbose` to see the output of the tests, and report it to the author of the pack.',
  ],
  E_PROVE_OPEN: (c: { run: string; criteria: string; quick: boolean }) => [
    'waiting',
    `Not everything in the pack of ${c.run} could be confirmed: ${c.criteria}.`,
    'Judge these items yourself, or accept them with `--accept not-claimed,could-not-run`.',
    ...(c.quick ? ['To confirm what is NOT REFUTED, run the command again without `--quick`.'] : []),
  ],
  E_PROVE_INTERRUPTED: () => [
    'interrupted',
    'The proof was interrupted. No files were left behind.',
    'Run it again.',
  ],
  E_PACK_CHANGED: (c: { run: string; files: string }) => [
    'refused',
    `The pack of ${c.run} was changed after Dure created it (in mrp/: ${c.files}). It is not shown and cannot be approved.`,
    `Run \`dure approve ${c.run}\` to recreate the pack; this merges nothing. Then review it.`,
  ],
  E_EARLIER_PACK_CHANGED: (c: { run: string; pack: number; files: string }) => [
    'refused',
    `Pack ${c.pack} of ${c.run} was changed after Dure created it (${c.files}). It is not shown.`,
    `Review the newest pack, which is not affected: \`dure review ${c.run}\`.`,
  ],
  E_PACK_REMADE: (c: { run: string; files: string }) => [
    'refused',
    `The pack of ${c.run} was changed after Dure created it (in mrp/: ${c.files}). Dure recreated it and did not merge.`,
    `Review it: \`dure review ${c.run}\`. Then approve it.`,
  ],
  E_REPOSITORY_CHANGED: (c: { run: string; changes: string }) => [
    'refused',
    `These settings or files have changed since ${c.run} began, possibly because of an agent:\n${c.changes}`,
    'Review them: git settings and hooks can run programs, and the configuration decides what Dure runs.',
    `If you changed them yourself: \`dure approve ${c.run} --accept-changes\`.`,
  ],
  E_COMMANDS_CHANGED: (c: { commands: string }) => [
    'refused',
    `These commands, or decisions from earlier runs, are new or have changed since you last saw them, possibly because of an agent:\n${c.commands}`,
    'To allow them in this and later runs, run `dure start` again with `--accept-commands`.',
  ],
  E_NOT_COMMITTED: (c: { setting: string; name: string; file: string }) => [
    'usage',
    `${c.setting} lists ${c.name}, but ${c.file} does not provide it in the commit that the run would start from.`,
    `Commit it, or remove the name from ${c.setting}. See docs/rules.md.`,
  ],
  E_SEAL_LOST: (c: { steps: string }) => [
    'failed',
    `Sealed results are missing from the git repository, or were changed there, and the run has no complete copy of them: ${c.steps}.`,
    'Check the repository with `git fsck`, then start a new run.',
  ],
  E_MERGE: (c: { why: string; branch: string }) => [
    'refused',
    `The result was not merged: ${withFullStop(c.why)}`,
    `The result is on the branch ${c.branch}.`,
  ],
  E_EXAM_COMPLETE: (c: { run: string }) => [
    'refused',
    `The exam of ${c.run} has nothing left to try.`,
    `See its results: \`dure review ${c.run}\`.`,
  ],
  E_NOT_EXAMINED: (c: { run: string }) => [
    'refused',
    `The tests of ${c.run} were not examined, so there is no exam to continue.`,
    'Tests are examined if they pass, the briefing has acceptance criteria, the pipeline contains an exam, and `proof.exam` is on.',
    `See what was tested: \`dure review ${c.run} --full\`.`,
  ],
  E_REBASE: (c: { why: string }) => [
    'refused',
    `The result was not rebased: ${withFullStop(c.why)}`,
    "The pack and the run's branch are unchanged.",
  ],
  E_REBASE_UNMOVED: (c: { run: string; onto: string }) => [
    'refused',
    `${c.onto} has the same files as the base of ${c.run}, so there is nothing to rebase.`,
    `Approve it: \`dure approve ${c.run}\`.`,
    `To rebase it onto another branch: \`dure rebase ${c.run} --onto BRANCH\`.`,
  ],
  E_REBASE_DETACHED: (c: { run: string }) => [
    'refused',
    `${c.run} did not start from a branch (HEAD was detached).`,
    `Specify what to rebase it onto: \`dure rebase ${c.run} --onto BRANCH\`.`,
  ],
  E_REBASE_BRANCH: (c: { run: string; branch: string }) => [
    'refused',
    `${c.run} started from ${c.branch}, but there is no branch with that name.`,
    `Specify what to rebase it onto: \`dure rebase ${c.run} --onto BRANCH\`.`,
  ],
  E_NO_RESULT: (c: { run: string }) => [
    'refused',
    `${c.run} has no result yet.`,
    'See `dure status`, or open the worktree with `dure open`.',
  ],
  E_NO_TESTS_TO_LAND: () => [
    'refused',
    "None of the Verifier's tests ran on this result, so none can be committed with it.",
    'Approve without `--with-tests`.',
  ],
  E_FEEDBACK_GIVEN: (c: { run: string }) => [
    'refused',
    `Someone else has just requested changes to this pack of ${c.run}. Your request was not recorded.`,
    'Wait for the next pack, then request what is still missing: `dure reject`.',
  ],
  E_DECISION_INVALID: (c: { problems: string }) => [
    'usage',
    `Your decision is not valid and was not sent:\n${c.problems}`,
    'If a text is too long, shorten it, or put it in a file in the project and refer to that file.',
  ],
  E_DECISION_IGNORED: (c: { file: string; problem: string }) => [
    'refused',
    `Your decision was not used, because its file ${c.file} is not valid: ${c.problem}.`,
    'The file was changed after you decided, or the key of the run was replaced. Decide again.',
  ],
  E_FEEDBACK_EMPTY: () => [
    'usage',
    'The feedback is empty.',
    'Describe what should change: `dure reject --feedback "…"`.',
  ],
  E_DRIVER_ALIVE: (c: { run: string; pid: number }) => [
    'refused',
    `${c.run} is already driven by process ${c.pid}.`,
    `There is nothing to recover; see \`dure status\`. If the process hangs, kill it with \`kill -9 ${c.pid}\` (nothing is lost), then run \`dure recover ${c.run}\`.`,
  ],
  E_NOT_AT_WORK: (c: { run: string; agent: string }) => [
    'refused',
    `No ${c.agent} is running in ${c.run}.`,
    'See `dure status`.',
  ],
  E_CONFIRM: (c: { keys: string }) => [
    'refused',
    `These settings control which commands run and with what permissions: ${c.keys}.`,
    'Check the values and confirm.',
  ],
  E_NO_DRIVER: (c: { run: string; output: string }) => [
    'failed',
    `Could not start a process to drive ${c.run}.${c.output ? ` Its output:\n${c.output}` : ''}`,
    'Run `dure recover`, or drive the run in this terminal: `dure serve`.',
  ],
  E_LEADER_SUSPENDED: (c: { pid: number }) => [
    'refused',
    `The process that drives the runs of this project (PID ${c.pid}) is suspended.`,
    `Resume it with \`kill -CONT ${c.pid}\`, or with \`fg\` in its terminal; then try again.`,
  ],
  E_OTHER_STATE_FOLDER: (c: { pid: number; theirs: string; own: string }) => [
    'refused',
    `The process that drives the runs of this project (PID ${c.pid}) keeps its keys in ${c.theirs}, but this command keeps them in ${c.own}, so the process cannot drive the run.`,
    `Set HOME and XDG_STATE_HOME to the same values as in that process, and run the command as the same user.`,
    `Or end that process, then try again: \`kill ${c.pid}\`.`,
  ],
  E_WAITING: (c: { run: string; command: string }) => [
    'waiting',
    `${c.run} is waiting for you.`,
    `Answer: ${c.command}`,
  ],
  E_RUN_FAILED: (c: { run: string; reason: string }) => [
    'failed',
    `${c.run} failed: ${withFullStop(c.reason)}`,
    `See what happened: \`dure logs ${c.run}\`.`,
  ],
  E_RUN_STOPPED: (c: { run: string; reason: string }) => [
    'interrupted',
    `${c.run} was stopped: ${withFullStop(c.reason)}`,
    'Start a new run: `dure start`.',
  ],
  E_RUN_INTERRUPTED: (c: { run: string }) => [
    'interrupted',
    `${c.run} is interrupted: no process is driving it.`,
    `Resume it: \`dure recover ${c.run}\`.`,
  ],
  E_WAIT_TIMEOUT: (c: { run: string; seconds: number; phase: string }) => [
    'failed',
    `${c.run} is still in ${c.phase} after ${c.seconds} s.`,
    'Wait longer with `--timeout`, or see `dure status`.',
  ],
  E_NOT_TAKEN: (c: { run: string }) => [
    'failed',
    `The process that drives ${c.run} has not handled this request yet. The request is kept.`,
    `To find out why, see \`dure status ${c.run}\` and the run's driver.log. Then run \`dure recover ${c.run}\`.`,
  ],
  E_TOO_LATE: (c: { run: string; phase: string }) => [
    'refused',
    `Too late: ${c.run} had already ended (${c.phase}), so your request had no effect.`,
    `See how it ended: \`dure status ${c.run}\`.`,
  ],
  E_AGENT_ENDED: (c: { run: string }) => [
    'refused',
    `Too late: the agent of ${c.run} had already ended, so your request had no effect.`,
    `See what the run does now: \`dure status ${c.run}\`.`,
  ],
  E_COMMAND_UNKNOWN: (c: { command: string; near: string | null }) => [
    'usage',
    `${c.command} is not a dure command.`,
    c.near ? `Did you mean \`dure ${c.near}\`?` : 'See `dure --help`.',
  ],
  E_CONFIG_KEY: (c: { key: string; known: string | null }) => [
    'usage',
    `Unknown setting ${c.key}.`,
    c.known ? `Known: ${c.known}.` : 'Its parent setting has no keys.',
  ],
  E_COMMENT: (c: { comment: string }) => [
    'usage',
    `Invalid --comment "${c.comment}".`,
    'Write it as FILE:LINE:TEXT, for example src/app.ts:12:"name this better".',
  ],
  E_COMMENT_PLACE: (c: { file: string; line: number; lines: number | null }) => [
    'usage',
    c.lines === null
      ? `There is no file ${c.file} to comment on in this result.`
      : `${c.file} has no line ${c.line}: it has ${c.lines} ${c.lines === 1 ? 'line' : 'lines'}.`,
    'To see the changed files with their line numbers: `dure review --diff`.',
    'For a remark that is not about a line: `dure reject --feedback "…"`.',
  ],
  E_SPAN: (c: { span: string }) => [
    'usage',
    `${c.span} is not a duration.`,
    'Use a number and a unit (s, m, h, d or w), such as 30d or 12h.',
  ],
  E_SPAN_RANGE: (c: { span: string; min: string; max: string }) => [
    'usage',
    `${c.span} is out of range.`,
    `Use a duration between ${c.min} and ${c.max}.`,
  ],
  E_KEPT: (c: { run: string; why: string; idle: boolean }) => [
    'refused',
    `${c.run} was not removed: ${withFullStop(c.why)}`,
    c.idle
      ? 'Preview with `dure clean --dry-run`. Use `--force` to also remove unfinished and unmerged runs.'
      : `Stop it: \`dure stop ${c.run}\`, then remove it: \`dure clean ${c.run}\`.`,
  ],
  E_NOT_AGREED: (c: { count: number }) => [
    'refused',
    `Removing ${c.count === 1 ? 'one run' : `${c.count} runs`} needs your confirmation.`,
    'Preview with `dure clean --dry-run`, then confirm with `--yes`.',
  ],
  E_FOLDER_FULL: (c: { dir: string }) => [
    'usage',
    `${c.dir} is not empty.`,
    'Choose an empty folder, or one that does not exist yet.',
  ],
  E_NO_PAGES: (c: { project: string }) => [
    'failed',
    `No server is running for ${c.project}.`,
    'See .dure/server/started.log, or run `dure serve` in a terminal and read its output.',
  ],
  E_PORT: (c: { tried: number; first: number }) => [
    'failed',
    `No free port was found. Dure tried ${c.tried} ports, starting with ${c.first}.`,
    'Choose another one: `dure serve --port PORT`, or `web_port` in .dure/config/global.json.',
  ],
  E_NO_STREAM: (c: { run: string; agent: string; known: string }) => [
    'usage',
    `${c.run} has no output from ${c.agent}.`,
    c.known === '' ? 'No agent of this run has started yet.' : `Output is available for: ${c.known}.`,
  ],
  E_PLUGIN: (c: { plugin: string; problem: string }) => [
    'failed',
    `Plugin ${c.plugin}: ${c.problem}`,
    `Dure continues without it. Fix it, or uninstall it: \`dure plugins uninstall ${c.plugin}\`.`,
  ],
  E_PLUGIN_FAULTY: (c: { plugin: string; problems: string }) => [
    'failed',
    `${c.plugin} is not valid:\n${c.problems}`,
    'Fix these problems and run the check again. docs/plugins.md describes what a plugin can provide.',
  ],
  E_PLUGIN_INSTALL: (c: { plugin: string; why: string }) => [
    'failed',
    `${c.plugin} could not be installed: ${withFullStop(c.why)}`,
    'Nothing was changed. `--verbose` shows the full npm output.',
  ],
  E_PLUGIN_PATH: (c: { path: string; why: string }) => [
    'usage',
    `No plugin found at ${c.path}: ${withFullStop(c.why)}`,
    'Use the folder that contains its package.json, or a tarball.',
  ],
  E_PLUGIN_UNKNOWN: (c: { plugin: string; installed: string }) => [
    'usage',
    `Plugin ${c.plugin} is not installed.`,
    `Installed: ${c.installed || 'none'}.`,
  ],
  E_DOCTOR: (c: { problems: string }) => [
    'failed',
    `A run would fail here: ${c.problems}.`,
    'Fix the problems named above, then run `dure doctor` again.',
  ],
  E_DISK: (c: { file: string; why: string; reading?: boolean; missing?: boolean }) => [
    'failed',
    `${c.file} could not be ${c.reading ? 'read' : 'written'}: ${withFullStop(c.why)}`,
    c.missing === true
      ? 'Create the folder, then try again.'
      : 'Free up disk space, fix the permissions, or move whatever is in the way; then try again.',
  ],
} satisfies Record<string, (context: never) => ErrorText>;

export type ErrorCode = keyof typeof ERRORS;
/** The table of messages and suggestions in another language. */
export type ErrorWords = {
  readonly [C in ErrorCode]: (
    context: Parameters<(typeof ERRORS)[C]> extends [infer A] ? A : undefined,
  ) => readonly [message: string, ...tryThis: string[]];
};
export const ERROR_CODES = Object.keys(ERRORS) as ErrorCode[];

export class DureError extends Error {
  override name = 'DureError';
  readonly code: ErrorCode;
  readonly exit: number;
  readonly suggestions: string[];
  /** The values in the message, for translations. */
  readonly context: unknown;

  constructor(code: ErrorCode, text: ErrorText, context: unknown, options?: ErrorOptions) {
    const [exit, message, ...suggestions] = text;
    super(message, options);
    this.code = code;
    this.context = context;
    this.exit = EXIT[exit];
    this.suggestions = suggestions;
  }
}

/** `throw dureError('E_RUN_NOT_FOUND', { run })`: the compiler checks that the context fits the code. */
export const dureError = <C extends ErrorCode>(
  code: C,
  ...[context, options]: Parameters<(typeof ERRORS)[C]> extends [infer A]
    ? [context: A, options?: ErrorOptions]
    : [context?: undefined, options?: ErrorOptions]
): DureError => new DureError(code, (ERRORS[code] as (c: unknown) => ErrorText)(context), context, options);
