/** Health checks. Each check runs on every request; results are not cached. */

import { readFile, rm } from 'node:fs/promises';
import { sessionsOf } from '../agents/launchers/tmux-sessions.ts';
import { currentStep } from '../core/policy/pipeline/look-up-steps.ts';
import { readOptions } from '../core/run/record/read-run-record.ts';
import { runStatus } from '../core/run/run-store.ts';
import { freeSpace, LITTLE_SPACE } from '../formats/file-system/free-space.ts';
import { type ProjectFiles, runFiles } from '../formats/layout.ts';
import type { RunState } from '../formats/state.ts';
import { programOutput } from '../process/program-output.ts';
import { readConfig } from '../workspace/project/read-and-write-config.ts';
import type { Health, HealthCheck, Interrupted, ReadyView } from './health-protocol.ts';
import { isWorking } from './runs/read-run-row.ts';
import type { RunIndex } from './runs/run-index.ts';
import { keepSecret, serverFiles } from './server-files.ts';

const now = () => new Date().toISOString();

async function timed(check: () => Promise<Omit<HealthCheck, 'latency_ms'>>): Promise<HealthCheck> {
  const began = performance.now();
  const found = await check().catch((error: Error) => ({ status: 'fail' as const, message: error.message }));
  return { ...found, latency_ms: Math.round(performance.now() - began) };
}

export interface HealthContext {
  readonly project: ProjectFiles;
  readonly index: RunIndex;
  readonly version: string;
  readonly plugins: readonly string[];
}

export async function healthOf(context: HealthContext): Promise<Health> {
  const [orchestrator, tmux, fileSystem] = await Promise.all([
    checkDrivers(context),
    checkTmux(context),
    checkFiles(context),
  ]);
  const checks = { orchestrator, tmux, fileSystem };
  const failed = Object.values(checks).some(({ status }) => status === 'fail');
  return {
    status: fileSystem.status === 'fail' ? 'unhealthy' : failed ? 'degraded' : 'healthy',
    timestamp: now(),
    version: context.version,
    uptime: Math.floor(process.uptime()),
    checks,
  };
}

export async function readyOf(context: HealthContext): Promise<ReadyView> {
  const config = await timed(async () => {
    await readConfig(context.project, context.plugins);
    return { status: 'pass' };
  });
  const checks = { fileSystem: await checkFiles(context), config: relative(context, config) };
  const well = Object.values(checks).every(({ status }) => status !== 'fail');
  return { status: well ? 'ready' : 'not_ready', timestamp: now(), checks };
}

/** Fails if an active run has no driver. */
const checkDrivers = ({ index }: HealthContext): Promise<HealthCheck> =>
  timed(async () => {
    await index.refresh();
    const working = index.all().filter(({ recorded }) => isWorking(recorded));
    const left = working.filter(({ row }) => row.phase === 'interrupted');
    return left.length > 0
      ? {
          status: 'fail',
          message: `${left.length} of ${working.length} active runs have no driver`,
        }
      : { status: 'pass', message: working.length > 0 ? `Running, ${working.length} active` : 'Running' };
  });

/** Because tmux only displays agents, this check fails only if a run that was started in tmux has lost its session. */
const checkTmux = ({ project, index }: HealthContext): Promise<HealthCheck> =>
  timed(async () => {
    const version = await programOutput('tmux', ['-V']);
    if (version === null)
      return {
        status: 'warn',
        message: 'Not installed, or it does not answer; agents run without tmux panes',
      };
    const sessions = await sessionsOf(project.root);
    const working = index.all().filter(({ row }) => isWorking(row.phase));
    for (const { row } of working) {
      const options = await readOptions(runFiles(project.run(row.run_id)));
      if (options?.launcher === 'tmux' && !sessions.some(({ run: id }) => id === row.run_id))
        return { status: 'fail', message: `The session of ${row.run_id} is gone` };
    }
    return {
      status: 'pass',
      message: sessions.length > 0 ? 'Session active' : `No session needed (${version})`,
    };
  });

const checkFiles = (context: HealthContext): Promise<HealthCheck> =>
  timed(async () => {
    const { probe } = serverFiles(context.project);
    const content = `${process.pid} ${performance.now()}`;
    try {
      await keepSecret(probe, content);
      if ((await readFile(probe, 'utf8')) !== content)
        return { status: 'fail', message: 'A test file could not be read back' };
      await rm(probe, { force: true });
    } catch (error) {
      return {
        status: 'fail',
        message: `Directory not writable (${(error as NodeJS.ErrnoException).code ?? 'unknown'})`,
      };
    }
    return (await freeSpace(context.project.dure)) < LITTLE_SPACE
      ? { status: 'warn', message: 'The disk is almost full' }
      : { status: 'pass', message: 'Writable' };
  });

const relative = ({ project }: HealthContext, check: HealthCheck): HealthCheck =>
  check.message ? { ...check, message: check.message.replaceAll(`${project.root}/`, '') } : check;

export async function interruptedOf({ project, index }: HealthContext): Promise<Interrupted> {
  await index.refresh();
  const ids = index
    .all()
    .filter(({ row }) => row.phase === 'interrupted')
    .map(({ row }) => row.run_id);
  const runs: Interrupted['runs'] = [];
  for (const id of ids.sort().reverse()) {
    const files = runFiles(project.run(id));
    const current = await runStatus(files).catch(() => null);
    if (current?.state.phase !== 'interrupted') continue;
    const { state } = current;
    const whole = current.damage === null;
    runs.push({
      runId: id,
      phase: state.interrupted_from ?? state.phase,
      lastAgent: lastAgent(state),
      interruptedAt: state.updated_at,
      canResume: whole,
      resumeStrategy: whole ? strategy(state.interrupted_from) : 'none',
    });
  }
  return { count: runs.length, runs, timestamp: now() };
}

const lastAgent = (state: RunState): string | null => (state.step === null ? null : currentStep(state).role);

function strategy(phase: string | null): Interrupted['runs'][number]['resumeStrategy'] {
  if (phase === 'waiting_human' || phase === 'ready_for_merge') return 'continue_waiting';
  return phase === 'gate' ? 'restart_gatekeeper' : 'restart_agent';
}
