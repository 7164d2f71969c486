/** A scratch project with real git, in which real processes run a scenario; the driver runs in the test. */
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { openQuestion, writeAnswer } from '../../src/core/run/requests/write-answer.ts';
import { type Approval, requestApproval } from '../../src/core/run/requests/write-requests.ts';
import { readEvents, readState } from '../../src/core/run/run-store.ts';
import { driveRun } from '../../src/daemon/drive-run.ts';
import { type StartRequest, startRun } from '../../src/daemon/start-run.ts';
import type { Cassette } from '../../src/formats/cassette.ts';
import { driverFile } from '../../src/formats/driver.ts';
import type { EventType, RunEvent } from '../../src/formats/events/events.ts';
import { claimFile } from '../../src/formats/launch.ts';
import { type ProjectFiles, projectFiles, type RunFiles, runFiles } from '../../src/formats/layout.ts';
import { load } from '../../src/formats/read-and-write-files.ts';
import type { RunState } from '../../src/formats/state.ts';
import { type Contributions, contributionsOf, type Source } from '../../src/plugins/load-contributions.ts';
import { isAlive, signalProcess } from '../../src/process/identity.ts';
import { createProjectFolders } from '../../src/workspace/project/create-folders-and-config.ts';
import { BUILT_IN_BACKENDS, BUILT_IN_PLUGINS } from '../helpers/built-in-plugins.ts';
import { endTmux } from '../helpers/end-tmux.ts';
import { newRepository, signIn, writeFiles } from '../helpers/git-repositories.ts';

export interface ScratchProject {
  readonly root: string;
  readonly project: ProjectFiles;
  readonly plugins: Contributions;
  start(cassette: Cassette, request?: Partial<StartRequest>): Promise<TestRun>;
}

export interface TestRun {
  readonly project: ProjectFiles;
  readonly runId: string;
  readonly files: RunFiles;
  /** Drives until the user is needed or the run is over. */
  drive(onEvent?: (event: RunEvent, state: RunState) => void): Promise<RunState>;
  answer(decision: string, rationale?: string, future?: boolean): Promise<void>;
  /** Approves the pack and continues driving. */
  approve(more?: Partial<Approval>): Promise<RunState>;
  state(): Promise<RunState>;
  events(): Promise<RunEvent[]>;
  /** Types of the recorded events, without process exits. */
  eventTypes(...only: EventType[]): Promise<string[]>;
  prompt(role: string): Promise<string>;
}

export interface ScratchProjectOptions {
  /** From the context of a concurrent test, which cannot use the global one. */
  readonly onTestFinished?: typeof onTestFinished;
  readonly name?: string;
  readonly git?: boolean;
  readonly files?: Record<string, string>;
  /** Used in addition to the built-in ones. */
  readonly plugins?: readonly Source[];
  /** Keys of config files that differ from the defaults. */
  readonly config?: Partial<Record<'global' | 'refiner' | 'builder' | 'verifier' | 'gatekeeper', object>>;
}

const BASE = { 'README.md': '# A project\n', 'src/main.txt': 'main\n' };

export async function scratchProject(options: ScratchProjectOptions = {}): Promise<ScratchProject> {
  const top = await mkdtemp(join(tmpdir(), 'dure-e2e-'));
  const root = join(top, options.name ?? 'project');
  await mkdir(root);
  (options.onTestFinished ?? onTestFinished)(async () => {
    await endDrivers(projectFiles(root));
    await endTmux(root);
    await endAgents(projectFiles(root));
    await rm(top, { recursive: true, force: true, maxRetries: 20 });
  });
  if (options.git === false) await writeFiles(root, options.files ?? BASE);
  else {
    await newRepository(root, options.files ?? BASE);
    signIn(root);
  }
  const { project } = await createProjectFolders(root);
  for (const [name, keys] of Object.entries(options.config ?? {}))
    await writeFile(project.configOf(name), JSON.stringify(keys));
  const plugins = await contributionsOf([...BUILT_IN_PLUGINS, ...(options.plugins ?? [])], {
    backends: BUILT_IN_BACKENDS,
  });
  let n = 0;
  return {
    root,
    project,
    plugins,
    async start(cassette, request = {}) {
      n += 1;
      const cassetteFile = join(top, `${n}.cassette.json`);
      await writeFile(cassetteFile, JSON.stringify(cassette));
      const started = await startRun(
        project,
        {
          briefing: 'Write greeting.txt that greets.',
          ...(!('backend' in (options.config?.global ?? {})) && { backend: 'rehearsal' }),
          cassette: cassetteFile,
          launcher: 'process',
          takeRecommendations: false,
          includeChanges: false,
          shell: process.env,
          ...request,
        },
        plugins,
      );
      return testRun(project, plugins, started.runId, started.files);
    },
  };
}

function testRun(project: ProjectFiles, plugins: Contributions, runId: string, files: RunFiles): TestRun {
  const state = async () => (await readState(files))!;
  const run: TestRun = {
    project,
    runId,
    files,
    state,
    events: () => readEvents(files),
    drive: onEvent =>
      driveRun(project, files, plugins, {
        signal: new AbortController().signal,
        untilIdle: true,
        ...(onEvent && { onEvent }),
      }),
    async answer(decision, rationale = '', future = false) {
      const run = await state();
      const crp = await openQuestion(files, run);
      await writeAnswer(files, run, crp, { decision, rationale, applies_to_future: future });
    },
    async approve(more = {}) {
      await requestApproval(files, await state(), { how: 'merge', ...more });
      return run.drive();
    },
    async eventTypes(...only) {
      const events = (await readEvents(files)).filter(e => e.type !== 'agent.exited');
      return events
        .filter(e => only.length === 0 || only.includes(e.type))
        .map(e => ('step' in e && e.type.startsWith('agent.') ? `${e.type} ${e.step}` : e.type));
    },
    prompt: role => readFile(files.prompt(role), 'utf8'),
  };
  return run;
}

/**
 * Kills the separate driver processes and waits until they are gone; a driver in the test process ends with the test.
 */
async function endDrivers(project: ProjectFiles): Promise<void> {
  for (const run of await readdir(project.runs).catch(() => [] as string[])) {
    const driver = await load(driverFile, runFiles(project.run(run)).driver).catch(() => null);
    if (!driver || driver.process.pid === process.pid) continue;
    signalProcess(driver.process, 'SIGKILL');
    while (isAlive(driver.process)) await pause(10);
  }
}

/** Kills processes that a scenario left running, by the identity of each runner. */
async function endAgents(project: ProjectFiles): Promise<void> {
  for (const run of await readdir(project.runs).catch(() => [] as string[])) {
    const dir = join(project.run(run), 'launches');
    for (const name of (await readdir(dir).catch(() => [] as string[])).filter(f =>
      f.endsWith('.claim.json'),
    )) {
      const claim = await load(claimFile, join(dir, name)).catch(() => null);
      if (!claim || !isAlive(claim.runner)) continue;
      signalProcess(claim.runner, 'SIGTERM');
      for (let i = 0; i < 150 && isAlive(claim.runner); i += 1) await pause(100);
      signalProcess(claim.runner, 'SIGKILL');
    }
  }
}
