/** Whether Dure is well, from checks that do what they speak of. Nothing here is remembered from before. */
import { execFile } from 'node:child_process';
import { readFile, rm, statfs } from 'node:fs/promises';
import { promisify } from 'node:util';
import { socketOf } from '../agents/launchers/tmux-client.ts';
import { currentStep } from '../core/pipeline.ts';
import { readEvents, readOptions, standing } from '../core/run-store.ts';
import { type ProjectFiles, runFiles } from '../formats/layout.ts';
import type { RunState } from '../formats/state.ts';
import { readConfig } from '../project.ts';
import { isWorking } from './listed.ts';
import type { Check, Health, Interrupted, Ready } from './protocol.ts';
import type { RunIndex } from './run-index.ts';
import { keepSecret, serverFiles } from './server-files.ts';

const ROOM = 200_000_000;
const run = promisify(execFile);
const now = () => new Date().toISOString();

async function timed(check: () => Promise<Omit<Check, 'latency_ms'>>): Promise<Check> {
  const began = performance.now();
  const found = await check().catch((error: Error) => ({ status: 'fail' as const, message: error.message }));
  return { ...found, latency_ms: Math.round(performance.now() - began) };
}

export interface Ward {
  readonly project: ProjectFiles;
  readonly index: RunIndex;
  readonly version: string;
  readonly plugins: readonly string[];
}

export async function healthOf(ward: Ward): Promise<Health> {
  const [orchestrator, tmux, fileSystem] = await Promise.all([driving(ward), windows(ward), writing(ward)]);
  const checks = { orchestrator, tmux, fileSystem };
  const failed = Object.values(checks).some(({ status }) => status === 'fail');
  return {
    status: fileSystem.status === 'fail' ? 'unhealthy' : failed ? 'degraded' : 'healthy',
    timestamp: now(),
    version: ward.version,
    uptime: Math.floor(process.uptime()),
    checks,
  };
}

export async function readyOf(ward: Ward): Promise<Ready> {
  const config = await timed(async () => {
    await readConfig(ward.project, ward.plugins);
    return { status: 'pass' };
  });
  const checks = { fileSystem: await writing(ward), config: relative(ward, config) };
  const well = Object.values(checks).every(({ status }) => status !== 'fail');
  return { status: well ? 'ready' : 'not_ready', timestamp: now(), checks };
}

/** Every run that should be at work has somebody who drives it. */
const driving = ({ index }: Ward): Promise<Check> =>
  timed(async () => {
    await index.refresh();
    const working = index.all().filter(({ recorded }) => isWorking(recorded));
    const left = working.filter(({ row }) => row.phase === 'interrupted');
    return left.length > 0
      ? {
          status: 'fail',
          message: `${left.length} of ${working.length} runs at work have nobody to drive them`,
        }
      : { status: 'pass', message: working.length > 0 ? `Running, ${working.length} at work` : 'Running' };
  });

/** tmux is a window and no more, so its absence is a failure only to runs that were started in it. */
const windows = ({ project, index }: Ward): Promise<Check> =>
  timed(async () => {
    const said = await run('tmux', ['-V']).then(
      ({ stdout }) => stdout.trim(),
      () => null,
    );
    if (said === null) return { status: 'warn', message: 'Not installed; agents run without windows' };
    const sessions = await run('tmux', [
      '-S',
      socketOf(project.root),
      'list-sessions',
      '-F',
      '#{session_name}',
    ]).then(
      ({ stdout }) => stdout.split('\n').filter(Boolean),
      () => [] as string[],
    );
    const working = index.all().filter(({ row }) => isWorking(row.phase));
    for (const { row } of working) {
      const options = await readOptions(runFiles(project.run(row.run_id)));
      if (options?.launcher === 'tmux' && !sessions.some(name => name.endsWith(row.run_id)))
        return { status: 'fail', message: `The session of ${row.run_id} is gone` };
    }
    return {
      status: 'pass',
      message: sessions.length > 0 ? 'Session active' : `No session needed (${said})`,
    };
  });

const writing = (ward: Ward): Promise<Check> =>
  timed(async () => {
    const { probe } = serverFiles(ward.project);
    const word = `${process.pid} ${performance.now()}`;
    try {
      await keepSecret(probe, word);
      if ((await readFile(probe, 'utf8')) !== word)
        return { status: 'fail', message: 'What was written is not there' };
      await rm(probe, { force: true });
    } catch (error) {
      return {
        status: 'fail',
        message: `Directory not writable (${(error as NodeJS.ErrnoException).code ?? 'unknown'})`,
      };
    }
    const { bavail, bsize } = await statfs(ward.project.dure);
    return bavail * bsize < ROOM
      ? { status: 'warn', message: 'The disk is almost full' }
      : { status: 'pass', message: 'Writable' };
  });

const relative = ({ project }: Ward, check: Check): Check =>
  check.message ? { ...check, message: check.message.replaceAll(`${project.root}/`, '') } : check;

export async function interruptedOf({ project, index }: Ward): Promise<Interrupted> {
  await index.refresh();
  const ids = index
    .all()
    .filter(({ row }) => row.phase === 'interrupted')
    .map(({ row }) => row.run_id);
  const runs: Interrupted['runs'] = [];
  for (const id of ids.sort().reverse()) {
    const files = runFiles(project.run(id));
    const stands = await standing(files).catch(() => null);
    if (stands?.state.phase !== 'interrupted') continue;
    const { state } = stands;
    const whole = await readEvents(files).then(
      events => events.length > 0,
      () => false,
    );
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
