/**
 * Examines the commit that a run would start from: installs its dependencies and runs the project's own checks, in a
 * checkout outside the project, as a run does. Leaves nothing behind but prepared packages.
 */
import { join } from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import type { PlannedSetup } from '../core/policy/compose-run-settings.ts';
import { type Environment, ownEnvironment } from '../core/policy/environment-allowlist.ts';
import type { Check } from '../formats/check-results.ts';
import type { WorkspaceJob } from '../formats/checkout-setup-in-job.ts';
import type { ProjectFiles } from '../formats/layout.ts';
import { endsOf, keepEnds } from '../formats/text/output-head-and-tail.ts';
import { killMarked, marksOf } from '../process/kill.ts';
import { findSandbox } from '../process/sandbox/find-sandbox.ts';
import { runCheck } from '../proof/checks/run-check.ts';
import type { PreparedCheckout } from '../proof/prepare-checkout.ts';
import { sharedCheckouts } from '../proof/reuse-checkouts.ts';
import { removeCheckouts } from '../workspace/checkout.ts';
import { withoutParts } from '../workspace/dependencies/recognize-build-commands.ts';
import type { Repository } from '../workspace/git/run-git.ts';
import { ok, problem, type ReportFinding, warning } from './finding.ts';

export interface BaseToTry {
  readonly project: ProjectFiles;
  readonly repo: Repository;
  readonly commit: string;
  readonly setup: PlannedSetup;
  /** Dure's state folder. */
  readonly state: string;
  readonly kept: Environment;
  readonly signal: AbortSignal;
}

/** Reports the command that is about to run, which may take minutes. */
export type Begin = (command: string) => void;

/** Launch number of the trial. It is always free, because no run uses the trial's folder. */
const LAUNCH = 1;
/** Number of lines shown from the start and from the end of the output of a failing command. */
const LINES = 20;

export async function examineBase(of: BaseToTry, report: ReportFinding, begin: Begin): Promise<void> {
  const runDir = join(of.project.runs, `doctor-${process.pid}`);
  try {
    const trial = { ...of, runDir, report, begin };
    const checkoutOf = await prepared(trial);
    if (of.setup.checks.length === 0) report(warning('checks', w => w.noChecks()));
    if (checkoutOf) for (const check of of.setup.checks) await examineCheck(trial, check, checkoutOf);
  } finally {
    killMarked(runDir, LAUNCH);
    await removeCheckouts(of.state, runDir);
  }
}

interface Trial extends BaseToTry {
  /** Identifies the processes and the checkouts of this trial. */
  readonly runDir: string;
  readonly report: ReportFinding;
  readonly begin: Begin;
}

type CheckoutOf = () => Promise<PreparedCheckout>;

/** Null if the set-up fails. Build commands that fail are left out, as in a run. */
async function prepared(of: Trial): Promise<CheckoutOf | null> {
  const { setup, commit, runDir, report, begin } = of;
  const output = keepEnds(LINES);
  const prepareWith = (command: string | null): CheckoutOf => {
    const decoder = new StringDecoder('utf8');
    const checkouts = sharedCheckouts({
      workspace: workspaceOf(of, command),
      runDir,
      launch: LAUNCH,
      env: environmentOf(of),
      onOutput(chunk) {
        output.add(decoder.write(chunk));
      },
    });
    return () => checkouts.prepare('base', commit, of.signal);
  };
  const command = setup.prepare;
  if (command === null) {
    report(ok('set-up', w => w.noSetup()));
    return prepareWith(null);
  }
  begin(command);
  const prepareAll = prepareWith(command);
  const first = await prepareAll();
  if (first.problem === null) {
    report(
      first.missing.length > 0
        ? warning('set-up', w => w.setupLacks(command, first.missing))
        : ok('set-up', w => w.setup(command)),
    );
    return prepareAll;
  }
  const shown = output.ends();
  if (first.failedBuilds.length > 0) {
    report(warning('set-up', w => w.buildFails(first.failedBuilds.join(', '), shown)));
    return prepareWith(withoutParts(command, first.failedBuilds));
  }
  report(problem('set-up', w => w.setupFails(first.problem!, shown)));
  return null;
}

/** A check that already fails on base cannot regress: a run can pass, but the check proves little. */
async function examineCheck(of: Trial, check: Check, checkoutOf: CheckoutOf): Promise<void> {
  const { report } = of;
  of.begin(check.command);
  const { place, confinement } = await checkoutOf();
  const env = environmentOf(of);
  const ran = await runCheck({
    check,
    place,
    confinement,
    env,
    signal: of.signal,
    sandbox: await findSandbox(env),
    echo: () => {},
  });
  const name = `check:${check.name}`;
  const output = endsOf(ran.log, LINES);
  if (ran.machine === 'pass') report(ok(name, w => w.check(check.command, ran.counts?.passed ?? null)));
  else
    report(
      warning(name, w =>
        ran.machine === 'fail'
          ? w.checkFails(check.command, ran.counts?.failed ?? null, output)
          : w.checkCannotRun(check.command, ran.problem ?? '', output),
      ),
    );
}

const environmentOf = ({ kept, runDir }: Trial) => ({
  ...ownEnvironment(kept),
  ...marksOf(runDir, LAUNCH),
});

const workspaceOf = ({ project, repo, state, setup }: BaseToTry, command: string | null): WorkspaceJob => ({
  project: project.root,
  repository: repo,
  state,
  setup: command,
  ...setup.checkout,
});
