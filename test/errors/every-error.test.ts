/** Provokes every error that Dure shows: on the command line if possible, otherwise where it is thrown. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { demoBriefing } from '../../src/agents/rehearsal/cassettes/demo-files.ts';
import type { CriterionVerdict } from '../../src/core/policy/verdict/prove-pack-criterion-verdict.ts';
import { provenTests } from '../../src/core/run/effects/merge-approved-result.ts';
import { keyOfRun } from '../../src/core/run/record/hmac-key.ts';
import { decisionOutcome } from '../../src/core/run/requests/decision-outcome.ts';
import { signed } from '../../src/core/run/requests/decision-proof.ts';
import { requestExam } from '../../src/core/run/requests/write-requests.ts';
import { readState } from '../../src/core/run/run-store.ts';
import { requireSandbox } from '../../src/daemon/check-consent-and-sandbox.ts';
import { expectLeaderCanDrive } from '../../src/daemon/expect-leader-can-drive.ts';
import { type DureError, dureError, ERROR_CODES, type ErrorCode } from '../../src/errors.ts';
import { runFiles } from '../../src/formats/layout.ts';
import { replace, replaceJson } from '../../src/formats/read-and-write-files.ts';
import { contributionsOf } from '../../src/plugins/load-contributions.ts';
import { identityOf } from '../../src/process/identity.ts';
import { packageRoot } from '../../src/process/package-paths-and-version.ts';
import { isSuspended } from '../../src/process/proc-table.ts';
import { trySandbox } from '../../src/process/sandbox/find-sandbox.ts';
import { throwUnlessProofConfirmed } from '../../src/proof/prove-pack/throw-unless-proof-confirmed.ts';
import { proveLaunch } from '../../src/proof/run-proof.ts';
import { listenOn } from '../../src/server/listen-on-free-port.ts';
import { changeSetting } from '../../src/server/project-settings.ts';
import { runActions } from '../../src/server/run-actions.ts';
import { serverFiles } from '../../src/server/server-files.ts';
import { commandFailure, explain } from '../../src/terminal/error-output.ts';
import { waitForRequest } from '../../src/terminal/runs/wait-for-state-or-request.ts';
import { koCli } from '../../src/words/cli/ko.ts';
import { openRepository } from '../../src/workspace/git/open-repository.ts';
import { signPack } from '../../src/workspace/pack/sign-and-publish-pack.ts';
import { restoreSeals } from '../../src/workspace/seal/restore-damaged-seals.ts';
import { stateFolder } from '../../src/workspace/user-state-folder.ts';
import {
  ASKED,
  BASE,
  COMPLETED,
  FAILED,
  prepareRun,
  READY,
  STARTED,
  STOPPED,
  TREE,
  type Untimed,
} from '../commands/prepared-runs.ts';
import { checkOutput } from '../helpers/check-json-output.ts';
import { SAMPLE_PROMPT_INPUT } from '../helpers/sample-values.ts';
import { type JsonOutput, type RunOptions, type TestProject, testProject } from '../helpers/test-project.ts';
import { samplePack } from '../proof/prove-pack/sample-pack.ts';
import { project as sealedProject } from '../proof/sealed-project.ts';

const id = (n: number) => `run-20260131-1422${String(n).padStart(2, '0')}`;
const RUN = {
  rewritten: id(10),
  asked: id(9),
  started: id(8),
  ready: id(7),
  completed: id(6),
  failed: id(5),
  stopped: id(4),
  answered: id(3),
  driven: id(2),
  damaged: id(1),
  priced: id(0),
  rejected: 'run-20260131-142100',
};

/** Only its branch is left. */
const GONE = 'run-20200101-000001';

/** The hash of its pack differs from the one in the log. */
const REWRITTEN: Untimed[] = [
  ...STARTED,
  { type: 'mrp.created', commit: BASE, tree: TREE, cost_usd: null, files: { 'summary.md': 'x' }, pack: BASE },
];

const REJECTED: Untimed[] = [...REWRITTEN, { type: 'mrp.rejected', feedback: 1, summary: 'Be warmer.' }];

let project: TestProject;
let empty: TestProject;
/** Its leader drives no run. */
let led: TestProject;
let leader: ChildProcess;
/** Folders for PATH: an empty one, and ones with a git or tmux that always fails, or a git without Git LFS. */
let bare: string;
let badGit: string;
let gitWithoutLfs: string;
let badTmux: string;
/** A package that is not a plugin, and a file that is not a tarball. */
let faulty: string;

beforeAll(async () => {
  project = await testProject();
  empty = await testProject();
  led = await testProject();
  await project.dure(['init', '--yes', '--backend', 'rehearsal']);
  await empty.dure(['init', '--yes']);
  await led.dure(['init', '--yes', '--backend', 'rehearsal']);
  await prepareRun(led, RUN.started, STARTED);
  await led.git('branch', 'dure');
  await project.git('branch', `dure/${GONE}`);
  await empty.write('.dure/config/refiner.json', '{"nope": 1}');
  const runs: Record<string, Awaited<ReturnType<typeof prepareRun>>> = {};
  for (const [name, events] of Object.entries({
    asked: ASKED,
    started: STARTED,
    ready: READY,
    completed: COMPLETED,
    failed: FAILED,
    stopped: STOPPED,
    answered: ASKED,
    driven: STARTED,
    damaged: READY,
    priced: ASKED,
    rewritten: REWRITTEN,
    rejected: REJECTED,
  }))
    runs[name] = await prepareRun(project, RUN[name as keyof typeof RUN], events, {
      launcher: name === 'completed' ? 'tmux' : 'process',
    });
  const files = Object.fromEntries(Object.entries(runs).map(([name, run]) => [name, run.files]));
  const by = { who: 'Ann', through: 'terminal', nonce: 'a'.repeat(32) } as const;
  await replaceJson(files['priced']!.crp('crp-001'), {
    crp_id: 'crp-001',
    created_by: 'dure',
    type: 'budget',
    question: 'The budget is used up. What should happen next?',
    options: ['raise', 'stop'].map(option => ({ id: option, label: option })),
    status: 'pending',
  });
  const since = new Date().toISOString();
  // It is stopped together with the project.
  const driver = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e9)'], { stdio: 'ignore' });
  await once(driver, 'spawn');
  for (const name of ['driven', 'answered', 'ready'])
    await replaceJson(files[name]!.driver, { process: identityOf(driver.pid!), since });
  leader = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e9)'], {
    stdio: 'ignore',
    env: { HOME: led.env['HOME'] },
  });
  await once(leader, 'spawn');
  for (const { files } of [empty, led])
    await replaceJson(serverFiles(files).term(1), { process: identityOf(leader.pid!) });
  const answer = {
    vcr_id: 'vcr-001',
    crp_id: 'crp-001',
    created_at: since,
    decision: 'sqlite',
    rationale: '',
    applies_to_future: false,
  };
  await replaceJson(files['answered']!.vcr('vcr-001'), signed(runs['answered']!.state, 'answer', answer, by));
  const feedback = { asked_at: since, tree: TREE, feedback: 'Be warmer.', comments: [] };
  for (const name of ['ready', 'rejected'])
    await replaceJson(files[name]!.feedbackOf(1), signed(runs[name]!.state, 'feedback', feedback, by));
  await replace(files['stopped']!.evidence, '{"tree": 5}');
  await replace(files['damaged']!.events, 'this is not a log\n');
  faulty = await folder('faulty', {});
  await replaceJson(join(faulty, 'package.json'), { name: 'dure-faulty', version: '1.0.0' });
  await writeFile(join(faulty, 'torn.tgz'), 'torn');
  bare = await folder('bare', {});
  badGit = await folder('git', { git: 'echo out of order >&2; exit 1' });
  const noLfs = 'git-lfs filter-process: 1: git-lfs: not found';
  const realGit = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
  gitWithoutLfs = await folder('git-without-lfs', {
    git: `case " $* " in *" status "*) echo '${noLfs}' >&2; exit 128;; esac; exec ${realGit} "$@"`,
  });
  badTmux = await folder('tmux', { tmux: 'echo out of order >&2; exit 1' });
});
afterAll(async () => {
  leader?.kill();
  await project?.remove();
  await empty?.remove();
  await led?.remove();
});

async function folder(name: string, programs: Record<string, string>): Promise<string> {
  const dir = join(project.parentFolder, name);
  await mkdir(dir);
  for (const [program, script] of Object.entries(programs)) {
    await writeFile(join(dir, program), `#!/bin/sh\n${script}\n`);
    await chmod(join(dir, program), 0o755);
  }
  return dir;
}

type Call = readonly [args: readonly string[], options?: () => RunOptions & { in?: TestProject }];
const env = (change: () => Record<string, string | undefined>) => () => ({ env: change() });
const path = (dir: () => string) => env(() => ({ PATH: dir() }));
const offline = env(() => ({ npm_config_offline: 'true' }));
// Read immediately, because commands in concurrent tests replace process.env while they run.
const PATH = process.env['PATH'];
const before = (dir: () => string) => env(() => ({ PATH: `${dir()}:${PATH}` }));
const START = ['start', 'Leave a note', '--no-browser'];

const AT_THE_COMMAND_LINE: Partial<Record<ErrorCode, Call>> = {
  E_NOT_A_PROJECT: [['status'], () => ({ cwd: project.parentFolder })],
  E_RUN_NOT_FOUND: [['status', 'run-20200101-000000']],
  E_RUN_FILES_GONE: [['status', GONE]],
  E_RUN_AMBIGUOUS: [['status', '20260131']],
  E_NO_RUNS: [['status'], () => ({ in: empty })],
  E_RUN_ID: [['status', '../../etc']],
  E_FILE_INVALID: [['review', RUN.stopped]],
  E_FILE_UNREADABLE: [['start', '--file', '.']],
  E_FILE_MISSING: [['start', '--file', 'nowhere.md']],
  E_LOG_CORRUPT: [['logs', RUN.damaged]],
  E_RUN_DAMAGED: [['recover', RUN.damaged]],
  E_VERIFY: [['verify', RUN.damaged]],
  E_CONFIG: [['config', 'check'], () => ({ in: empty })],
  E_CONFIG_VALUE: [['config', 'set', 'max_iterations', 'many']],
  E_BRIEFING_EMPTY: [['start', '  ']],
  E_BRIEFING_TWICE: [['start', 'x', '--file', 'README.md']],
  E_BUDGET: [['start', 'x', '--budget', 'lots']],
  E_TREE: [['approve', RUN.ready, '--tree', 'zzz']],
  E_PIPELINE: [[...START, '--pipeline', 'none']],
  E_BACKEND_UNKNOWN: [['start', 'x', '--backend', 'abacus']],
  E_CONSENT: [['start', 'x', '--backend', 'claude'], env(() => ({ IS_SANDBOX: undefined }))],
  E_GIT: [START, before(() => badGit)],
  E_GIT_PROGRAM: [START, before(() => gitWithoutLfs)],
  E_GIT_MISSING: [START, path(() => bare)],
  E_DOCTOR: [['doctor', '--quick'], path(() => bare)],
  E_BASE: [[...START, '--base', 'nowhere']],
  E_BRANCH_PREFIX: [START, () => ({ in: led })],
  E_TMUX: [[...START, '--launcher', 'tmux'], before(() => badTmux)],
  E_NOT_IN_TMUX: [['attach', RUN.failed]],
  E_NO_SESSION: [['attach', RUN.completed]],
  E_RUN_OVER: [['stop', RUN.failed]],
  E_KEPT: [['clean', RUN.ready, '--yes']],
  E_NOT_WAITING: [['answer', RUN.failed]],
  E_CRP_UNKNOWN: [['answer', RUN.asked, '--crp', 'crp-009']],
  E_ANSWERED: [['answer', RUN.answered, '--decision', 'postgres']],
  E_OPTION_UNKNOWN: [['answer', RUN.asked, '--decision', 'oracle']],
  E_WORDS_ALONE: [['answer', RUN.priced, '--rationale', 'Take what you need']],
  E_AMOUNT_UNASKED: [['answer', RUN.asked, '--amount', '5']],
  E_NO_ANSWER: [['answer', RUN.asked]],
  E_NOT_READY: [['review', RUN.failed]],
  E_NOT_EXAMINED: [['exam', RUN.rewritten]],
  E_PACK_CHANGED: [['review', RUN.rewritten]],
  E_EARLIER_PACK_CHANGED: [['review', RUN.rejected, '--pack', '1']],
  E_PACK_UNKNOWN: [['review', RUN.ready, '--pack', '1']],
  E_PROVE_SOURCE: [['prove', 'nothing-here']],
  E_PROVE_ACCEPT: [['prove', '--accept', 'refuted']],
  E_SPAN_RANGE: [['extend', '--by', '2d']],
  E_DECISION_INVALID: [['reject', RUN.ready, '--feedback', 'x'.repeat(50_001)]],
  E_PROVE_PACK: [['prove', 'HEAD', '--sandbox', 'none']],
  E_PROVE_SANDBOX: [['prove', 'HEAD'], () => ({ env: { DURE_SANDBOX: 'none' } })],
  E_PACK_MOVED: [['approve', RUN.ready, '--tree', 'abcdef0123', '--accept-changes']],
  E_FEEDBACK_GIVEN: [['reject', RUN.ready, '--feedback', 'Be shorter.']],
  E_FEEDBACK_EMPTY: [['reject', RUN.ready]],
  E_DRIVER_ALIVE: [['recover', RUN.driven]],
  E_NO_DRIVER: [['recover', RUN.started], () => ({ in: led })],
  // The leader serves no web UI.
  E_NO_PAGES: [['pages'], () => ({ in: empty })],
  E_WAITING: [['start', demoBriefing, '--cassette', 'demo', '--launcher', 'process', '--no-browser']],
  E_RUN_FAILED: [['wait', RUN.failed]],
  E_RUN_STOPPED: [['wait', RUN.stopped]],
  E_RUN_INTERRUPTED: [['wait', RUN.started]],
  E_WAIT_TIMEOUT: [['wait', RUN.asked, '--timeout', '1']],
  E_COMMAND_UNKNOWN: [['stauts']],
  E_CONFIG_KEY: [['config', 'get', 'builder.modle']],
  E_COMMENT: [['reject', RUN.ready, '--comment', 'oops']],
  E_SPAN: [['clean', '--older-than', 'soon']],
  E_NOT_AGREED: [['clean', '--force', '--state', 'failed']],
  E_FOLDER_FULL: [['demo', '--keep', '.']],
  E_PLUGIN_FAULTY: [['plugins', 'check', '.'], () => ({ cwd: faulty })],
  E_PLUGIN_INSTALL: [['plugins', 'install', './torn.tgz'], () => ({ cwd: faulty, ...offline() })],
  E_PLUGIN_PATH: [['plugins', 'link', '/nowhere']],
  E_PLUGIN_UNKNOWN: [['plugins', 'uninstall', 'nope']],
  E_NO_RESULT: [['open', RUN.started, '--shell']],
  E_NO_STREAM: [['logs', RUN.failed, '--agent', 'gatekeeper']],
};

/** Errors that no command can cause: requests from the web UI, and errors that the driver records as events. */
const WHERE_IT_IS_THROWN: Partial<Record<ErrorCode, () => unknown>> = {
  E_NOT_AT_WORK: () => runActions(project.files, () => {}).retry(RUN.asked, { agent: 'builder' }),
  E_NOT_TAKEN: () => runActions(project.files, () => {}, { request: 100, merge: 100 }).stop(RUN.driven, {}),
  E_AGENT_ENDED: () => {
    const sent = { kind: 'retry', asked_at: new Date().toISOString(), launch: 1 } as const;
    throw decisionOutcome(runFiles(project.files.run(RUN.driven)), sent, [], { phase: 'build', launch: 2 })
      ?.refused;
  },
  E_DECISION_IGNORED: () => {
    const at = new Date().toISOString();
    const problem = 'it has no proof that a person made it';
    const refused = { at, type: 'decision.refused', file: 'requests/stop.json', hash: 'h', problem } as const;
    const sent = { kind: 'stop', asked_at: at } as const;
    throw decisionOutcome(runFiles(project.files.run(RUN.driven)), sent, [refused], {
      phase: 'build',
      launch: 1,
    })?.refused;
  },
  E_TOO_LATE: () =>
    waitForRequest(runFiles(project.files.run(RUN.completed)), () => false, new AbortController().signal),
  E_CONFIRM: () =>
    changeSetting(project.files, 'global', { backend: 'claude', allow_bypass: true }, false, []),
  E_PORT: async () => {
    const busy = createServer().listen(0, '127.0.0.1');
    await once(busy, 'listening');
    const { port } = busy.address() as AddressInfo;
    await listenOn(createServer(), '127.0.0.1', [port]).finally(() => busy.close());
  },
  E_DISK: async () => {
    const dir = join(project.parentFolder, 'closed');
    await mkdir(dir, { mode: 0o500 });
    // Root may write everywhere, so the process temporarily becomes another user.
    const isRoot = process.geteuid?.() === 0;
    if (isRoot) process.seteuid?.(65_534);
    try {
      await replace(join(dir, 'a'), 'x');
    } finally {
      if (isRoot) process.seteuid?.(0);
    }
  },
  E_PLUGIN: async () => {
    const steps = [{ name: 'security', outputs: [{ file: 'security/a.md', about: 'a' }] }];
    const role = { name: 'security', steps };
    const given = { name: 'odd', roles: [{ ...role, prompt: () => '' }] };
    const { roles } = await contributionsOf([{ plugin: 'dure-odd', load: async () => given }]);
    return roles[0]!.prompt(SAMPLE_PROMPT_INPUT);
  },
  E_EXAM_COMPLETE: async () => {
    const files = runFiles(project.files.run(RUN.rewritten));
    const state = await readState(files);
    const sealed = { build: { commit: BASE, tree: TREE } };
    const examined = { tree: TREE, tests_tree: TREE } as never;
    await requestExam(files, { ...state!, sealed, tests: examined, exam: examined }, 60);
  },
  E_SANDBOX: () => requireSandbox({ DURE_SANDBOX: 'none' }, { mode: 'standard' }),
  E_SANDBOX_SLOW: async () => {
    const program = join(empty.parentFolder, 'bwrap');
    await writeFile(program, '#!/bin/sh\nsleep 600', { mode: 0o755 });
    await trySandbox(program, process.env, [1, 1]);
  },
  E_KEY: () => keyOfRun(id(0), '0'.repeat(16)),
  E_LEADER_SUSPENDED: async () => {
    leader.kill('SIGSTOP');
    await vi.waitFor(() => expect(isSuspended(leader.pid!)).toBe(true));
    await expectLeaderCanDrive(empty.files, '').finally(() => leader.kill('SIGCONT'));
  },
  E_OTHER_STATE_FOLDER: () => expectLeaderCanDrive(led.files, '0'.repeat(16)),
  E_STATE_FOLDER: () => stateFolder('/', {}),
  E_NO_TESTS_TO_LAND: async () => {
    const repo = await openRepository(project.root, project.files.shadow);
    await provenTests({ repo }, { tests: null, mrp: null });
  },
  E_SEAL_LOST: async () => {
    const repo = await openRepository(project.root, project.files.shadow);
    const seals = { build: { commit: TREE, tree: TREE } };
    await restoreSeals(repo, { base: BASE, folder: project.files.runs, seals });
  },
  E_BUNDLE_SIGN: async () => {
    const { root, git, job } = await sealedProject({ 'a.txt': 'a\n' });
    git('config', 'gpg.format', 'ssh');
    git('config', 'user.signingKey', join(root, 'no-key'));
    const { commit } = (await job({ 'a.txt': 'b\n' }, {}, 'true')).job;
    await signPack(await openRepository(root, ''), RUN.ready, commit);
  },
  E_PROVE_BASE: async () => {
    const sample = await samplePack({
      lie: ({ evidence, criteria }) => {
        evidence.base = criteria.base = BASE;
      },
    });
    await sample.prove({ sandbox: 'none' });
  },
  E_PROVE_DIFFERS: async () => {
    const sample = await samplePack({ lie: ({ evidence }) => Object.assign(evidence, { tree: TREE }) });
    await sample.prove({ sandbox: 'none' });
  },
  E_PROVE_CRITERION: async () => {
    const sample = await samplePack({});
    await sample.prove({ sandbox: 'none', only: ['AC-99'] });
  },
  E_PROVE_NO_TESTS: async () => {
    const sample = await samplePack({
      lie: ({ evidence }) => Object.assign(evidence, { tests_tree: null }),
    });
    await sample.prove({ sandbox: 'none' });
  },
  E_PROVE_REFUTED: () => throwUnlessProofConfirmed(proved('REFUTED'), ['could-not-run']),
  E_PROVE_OPEN: () => throwUnlessProofConfirmed(proved('COULD NOT RUN'), ['not-claimed']),
  E_LINK_INTO_CHECKOUT: async () => {
    const { root, git, job } = await sealedProject({ 'a.txt': 'a\n' });
    await symlink(join(root, 'a.txt'), join(root, 'link'));
    git('add', 'link');
    git('commit', '--quiet', '--message', 'a link');
    await proveLaunch(await job({}, {}, 'true'));
  },
  E_TESTS_IN_THE_WAY: async () => {
    const { job } = await sealedProject({ 'test/a.test.js': '' });
    await proveLaunch(await job({}, { 'test/a.test.js': '' }, 'true'));
  },
};

const proved = (verdict: CriterionVerdict) => ({
  run_id: RUN.ready,
  criteria: [
    { id: 'AC-1', kind: 'behaviour' as const, text: 'It greets.', verdict, reason: null, tests: [] },
  ],
  checks: [],
  quick: false,
});

/** test/e2e/prove.test.ts provokes it. */
const BY_SIGNAL = ['E_PROVE_INTERRUPTED'];

/** Needs a run that is ready to merge. */
const IN_A_RUN = [
  'E_COMMENT_PLACE',
  'E_MERGE',
  'E_REBASE',
  'E_REBASE_UNMOVED',
  'E_REBASE_BRANCH',
  'E_REBASE_DETACHED',
  'E_PACK_REMADE',
  'E_REPOSITORY_CHANGED',
  'E_COMMANDS_CHANGED',
  'E_NOT_COMMITTED',
];

it('every error is in exactly one of the tables in this file', () => {
  const provoked = [
    ...Object.keys(AT_THE_COMMAND_LINE),
    ...Object.keys(WHERE_IT_IS_THROWN),
    ...IN_A_RUN,
    ...BY_SIGNAL,
  ];
  expect(provoked.sort()).toEqual([...ERROR_CODES].sort());
});

it('every error is documented', async () => {
  const page = await readFile(join(packageRoot, 'docs', 'errors.md'), 'utf8');
  for (const code of ERROR_CODES) expect(page).toContain(`### ${code}\n`);
});

it('every error has a Korean text, with as many suggestions as in English', () => {
  const anything = new Proxy({}, { get: (_, key) => String(key).toUpperCase() });
  for (const code of ERROR_CODES) {
    const error = dureError(code, anything as never);
    const { message, suggestions } = koCli.error(error);
    expect(`${message}${suggestions.join('')}`).toMatch(/[가-힣]/);
    expect(suggestions).toHaveLength(error.suggestions.length);
  }
});

/** Commands that wait for a time limit run as separate processes, so that they wait at the same time. */
const WAITING: readonly ErrorCode[] = ['E_NO_DRIVER', 'E_NO_PAGES', 'E_RUN_INTERRUPTED'];

async function provoke(code: ErrorCode, [args, options = () => ({})]: Call): Promise<void> {
  const { in: place = project, ...more } = options();
  const call = WAITING.includes(code) ? place.spawnDure : place.dure;
  const { stdout, stderr, code: exit } = await call([...args, '--json'], more);
  const json = JSON.parse(stdout) as JsonOutput;
  checkOutput(args, json);
  expect(json, stdout).toMatchObject({ ok: false, version: 1, error: { code, exit } });
  expect(json.error?.suggestions).not.toEqual([]);
  expect({ exit: json.error?.exit, stderr }).toEqual({ exit, stderr: '' });
}

describe('the command line reports in JSON', () => {
  it.concurrent.for(Object.entries(AT_THE_COMMAND_LINE))('%s', ([code, call]) =>
    provoke(code as ErrorCode, call),
  );

  it(IN_A_RUN.join(', '), async () => {
    const readyRun = async (): Promise<string> => {
      const { json, stdout } = await project.dureJson([...START, '--launcher', 'process']);
      expect(json, stdout).toMatchObject({ ok: true, phase: 'ready_for_merge' });
      return String(json['run_id']);
    };
    await project.git('checkout', '--quiet', '--detach');
    const onNoBranch = await readyRun();
    await project.git('checkout', '--quiet', '-');
    const run = await readyRun();
    await provoke('E_REBASE_DETACHED', [['rebase', onNoBranch]]);
    await provoke('E_COMMENT_PLACE', [['reject', run, '--comment', 'no-such-file.js:3:shorter']]);
    await writeFile(join(project.files.run(run), 'mrp', 'summary.md'), '# All is well\n');
    await provoke('E_PACK_REMADE', [['approve', run]]);
    await project.write('.dure/config/global.json', '{"backend":"rehearsal","rules":{"skills":["gone"]}}');
    await provoke('E_NOT_COMMITTED', [START]);
    await project.write('.dure/config/global.json', '{"backend":"rehearsal","workspace":{"setup":"true"}}');
    await provoke('E_COMMANDS_CHANGED', [START]);
    await provoke('E_REPOSITORY_CHANGED', [['approve', run]]);
    await project.write('REHEARSAL.md', 'something of my own\n');
    await provoke('E_MERGE', [['approve', run, '--accept-changes']]);
    await provoke('E_REBASE_UNMOVED', [['rebase', run]]);
    await project.git('checkout', `dure/${run}`, '--', '.');
    await project.git('commit', '--quiet', '-m', 'the same');
    await provoke('E_REBASE', [['rebase', run]]);
    await project.git('branch', '-m', 'trunk');
    await provoke('E_REBASE_BRANCH', [['rebase', run]]);
  });
});

/** One error from each place that can end a command: a command, oclif's parser, and a call without a command. */
describe('the command line reports as text, with the same exit status as in JSON', () => {
  it.each([
    ['E_OPTION_UNKNOWN', AT_THE_COMMAND_LINE.E_OPTION_UNKNOWN![0]],
    ['E_USAGE', ['status', '--nonsense']],
    ['E_COMMAND_UNKNOWN', AT_THE_COMMAND_LINE.E_COMMAND_UNKNOWN![0]],
  ])('%s', async (code, args) => {
    const text = await project.dure(args);
    const { json } = await project.dureJson(args);
    expect(text).toMatchObject({ code: json.error?.exit, stdout: '' });
    expect(text.stderr).toContain(`(${code})`);
    expect(text.stderr).toContain('Try:');
  });
});

describe('an error that no command can cause has a message, an exit status and a suggestion', () => {
  it.for(Object.entries(WHERE_IT_IS_THROWN))('%s', async ([code, cause]) => {
    const error = await (async () => cause())().catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code });
    const failure = commandFailure(error as DureError);
    expect(failure.exit).toBe((error as DureError).exit);
    expect(failure.suggestions).not.toEqual([]);
    expect(explain(failure, error as DureError)).toContain('Try:');
  });
});
