/**
 * Defines the location of every file under `.dure/`. Only `compose-pipeline.ts` also contains file names: those of the
 * outputs in the folder of a step.
 */
import { basename, dirname, join } from 'node:path';

export const DURE_DIR = '.dure';
/** Name of a run's folder: the start time to the second, with a number if another run started in that second. */
export const RUN_ID = /^run-\d{8}-\d{6}(-\d{1,3})?$/;
/** Converts a time in ISO 8601 to the format that names of run folders use. */
export const timeInRunId = (iso: string): string => iso.replace(/[-:]/g, '').replace('T', '-').slice(0, 15);

/**
 * The program in a pack's commit that repeats the pack's proof without Dure; see
 * `src/proof/prove-pack/prove-mjs-main.ts`.
 */
export const PROVER = 'prove.mjs';

export const ROLES = ['refiner', 'builder', 'verifier', 'gatekeeper'] as const;

/** The files in one project. `root` is the absolute path of the folder that contains `.dure/`. */
export const projectFiles = (root: string) => {
  const dure = join(root, DURE_DIR);
  return {
    root,
    dure,
    ignore: join(dure, '.gitignore'),
    editorConfig: join(dure, '.editorconfig'),
    config: join(dure, 'config'),
    configOf: (name: string) => join(dure, 'config', `${name}.json`),
    decisions: join(dure, 'decisions'),
    /** The recording that the rehearsal backend plays in this project by default. */
    cassette: join(dure, 'rehearsal.cassette.json'),
    runs: join(dure, 'runs'),
    run: (runId: string) => join(dure, 'runs', runId),
    /** Git repository for a project without one. */
    shadow: join(dure, 'shadow.git'),
    server: join(dure, 'server'),
    /** Contains one empty file for each run that needs a driver. */
    calls: join(dure, 'server', 'calls'),
  };
};
export type ProjectFiles = ReturnType<typeof projectFiles>;

/** The files of a merge-readiness pack in the folder `mrp`. */
export const packFiles = (mrp: string) => ({
  mrp,
  summary: join(mrp, 'summary.md'),
  criteria: join(mrp, 'criteria.json'),
  evidence: join(mrp, 'evidence.json'),
  proof: join(mrp, 'proof.json'),
  patch: join(mrp, 'changes.patch'),
  mrpCode: join(mrp, 'code'),
  mrpTests: join(mrp, 'tests'),
});

/** The files in one run. `dir` is the absolute path of `.dure/runs/<run-id>`. */
export const runFiles = (dir: string) => {
  const at = (...parts: string[]) => join(dir, ...parts);
  return {
    dir,
    state: at('state.json'),
    events: at('events.log'),
    driver: at('driver.json'),
    driverLog: at('driver.log'),
    delivered: at('delivered.json'),
    pluginProblems: at('plugins.log'),
    briefing: at('briefing'),
    raw: at('briefing', 'raw.md'),
    refined: at('briefing', 'refined.md'),
    clarifications: at('briefing', 'clarifications.json'),
    builder: at('builder'),
    worktree: at('builder', 'output'),
    verifier: at('verifier'),
    tests: at('verifier', 'tests'),
    testConfig: at('verifier', 'test-config.json'),
    testsReady: at('verifier', 'tests-ready.flag'),
    testOutput: at('verifier', 'test-output.json'),
    testLog: at('verifier', 'test-log.txt'),
    testCases: at('verifier', 'test-cases.json'),
    exam: at('verifier', 'exam.json'),
    checks: at('verifier', 'checks.json'),
    checksLog: at('verifier', 'checks-log.txt'),
    results: at('verifier', 'results.json'),
    gatekeeper: at('gatekeeper'),
    review: at('gatekeeper', 'review.md'),
    verdict: at('gatekeeper', 'verdict.json'),
    doneOf: (folder: string) => at(folder, 'done.flag'),
    errorOf: (folder: string) => at(folder, 'error.flag'),
    logOf: (folder: string) => at(folder, 'log.md'),
    resultsOf: (folder: string) => at(folder, 'results.json'),
    reviewOf: (folder: string) => at(folder, 'review.md'),
    crps: at('crp'),
    crp: (id: string) => at('crp', `${id}.json`),
    vcrs: at('vcr'),
    vcr: (id: string) => at('vcr', `${id}.json`),
    ...packFiles(at('mrp')),
    prompts: at('prompts'),
    prompt: (role: string) => at('prompts', `${role}.md`),
    promptOf: (role: string, launch: number) => at('prompts', `${role}.${launch}.md`),
    logs: at('logs'),
    stream: (role: string, launch: number) => at('logs', `${role}.${launch}.jsonl`),
    /** A launch's output as a pane would show it. */
    screen: (role: string, launch: number) => at('logs', `${role}.${launch}.log`),
    launches: at('launches'),
    launch: (n: number) => at('launches', `${n}.json`),
    claim: (n: number) => at('launches', `${n}.claim.json`),
    exit: (n: number) => at('launches', `${n}.exit.json`),
    delay: (n: number) => at('launches', `${n}.delay.json`),
    setupJob: (n: number) => at('launches', `${n}.setup.json`),
    proofJob: (n: number) => at('launches', `${n}.proof.json`),
    examJob: (n: number) => at('launches', `${n}.exam.json`),
    examRuns: (n: number) => at('launches', `${n}.exam-runs.json`),
    checksJob: (n: number) => at('launches', `${n}.checks.json`),
    consult: (n: number) => at('launches', `${n}.consult`),
    sealed: at('sealed'),
    userRefs: at('sealed', 'user-refs.json'),
    stray: at('sealed', 'stray'),
    sealBundle: (step: string, launch: number) => at('sealed', `${step}.${launch}.bundle`),
    damaged: (n: number) => at(`damaged-${n}`),
    feedback: at('feedback'),
    feedbackOf: (n: number) => at('feedback', `feedback-${String(n).padStart(3, '0')}.json`),
    /** Feedback on pack N that could not be used; `id` distinguishes several such files. */
    unusedFeedback: (n: number, id: string) =>
      at('feedback', `unused-${String(n).padStart(3, '0')}-${id}.json`),
    /** The pack to which feedback N applies. */
    packOf: (n: number) => at('feedback', `pack-${String(n).padStart(3, '0')}`),
    requests: at('requests'),
    request: (name: string) => at('requests', `${name}.json`),
    /** For an imported run: where it came from, and its original files. */
    origin: at('origin.json'),
    predecessor: at('predecessor'),
  };
};
export type RunFiles = ReturnType<typeof runFiles>;

/** The names of the entries in a run's folder, except `damaged-N` and the folders of plugins' roles. */
const RUN_ENTRIES = new Set(
  Object.entries(runFiles('.')).flatMap(([key, path]) =>
    typeof path === 'string' && key !== 'dir' ? path.split('/', 1) : [],
  ),
);
const DAMAGED = new RegExp(`^${runFiles('').damaged(0).replace('0', '\\d+')}$`);

/**
 * Whether Dure writes an entry with this name directly in a run's folder. The entry may be a temporary file, such as
 * `state.json.4711`. The folders of plugins' roles are not recognized: only the run's log names them.
 */
export const isRunEntry = (name: string): boolean =>
  DAMAGED.test(name) ||
  [...RUN_ENTRIES, 'room'].some(known => name === known || name.startsWith(`${known}.`));

/** The folders that the steps of the built-in roles write to. */
const STEP_FOLDERS = ['briefing', 'builder', 'verifier', 'gatekeeper'];
const PUBLIC_FOLDERS = ['crp', 'vcr', 'mrp', 'prompts', 'logs', 'sealed', 'feedback'];
/** `launches/` contains the environments of agents, including API keys. */
const PRIVATE_FOLDERS = ['launches', 'requests', 'predecessor'];

/** Names of a run's folders whose files the server may send to a page. */
export const SERVED_FOLDERS: readonly string[] = [...STEP_FOLDERS, ...PUBLIC_FOLDERS];
/** Names of a run's folders that cannot be the folder of a role. */
export const RESERVED_FOLDERS: readonly string[] = [...PUBLIC_FOLDERS, ...PRIVATE_FOLDERS];

const { worktree, tests, mrpCode, mrpTests, stray } = runFiles('.');
const SUBFOLDERS = [worktree, tests, mrpCode, mrpTests, stray];

/** All folders of a run, relative to the run folder, parents first. `ofSteps` are the folders of the agents' steps. */
export const runFolders = (ofSteps: readonly string[]): string[] =>
  [...new Set([...STEP_FOLDERS, ...RESERVED_FOLDERS, ...SUBFOLDERS, ...ofSteps])].sort();

export const runIdOf = (files: RunFiles): string => basename(files.dir);
/** The folder that contains `.dure/runs/<run>`. */
export const projectRootOf = ({ dir }: RunFiles): string => dirname(dirname(dirname(dir)));
/** The branch of a run's worktree, which contains its result. */
export const runBranch = (runId: string): string => `dure/${runId}`;
/** Full name of that branch. */
export const runBranchRef = (runId: string): string => `refs/heads/${runBranch(runId)}`;
