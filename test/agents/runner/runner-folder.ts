/** A run folder in which small programs act as the agent, each given as the source of a Node script. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { onTestFinished } from 'vitest';
import { runLaunch } from '../../../src/agents/runner/claim-and-run-launch.ts';
import { type Exit, exitFile, type LaunchSpec } from '../../../src/formats/launch.ts';
import { runFiles } from '../../../src/formats/layout.ts';
import { load } from '../../../src/formats/read-and-write-files.ts';
import { killMarked } from '../../../src/process/kill.ts';

const PATH_ONLY = { PATH: process.env['PATH'] ?? '' };

export async function runnerFolder() {
  const dir = await mkdtemp(join(tmpdir(), 'dure-runner-'));
  const runDir = join(dir, 'run');
  const files = runFiles(runDir);
  for (const folder of [files.launches, files.prompts]) mkdirSync(folder, { recursive: true });
  onTestFinished(async () => {
    for (let n = 1; n <= 3; n += 1) killMarked(runDir, n);
    await rm(dir, { recursive: true, force: true, maxRetries: 20 });
  });
  return {
    dir,
    runDir,
    files,
    /** Writes the record of a launch that runs this script. */
    writeLaunch(
      source: string,
      more: Partial<LaunchSpec> = {},
      env = PATH_ONLY as Record<string, string>,
    ): LaunchSpec {
      const script = join(dir, 'agent.cjs');
      writeFileSync(script, source);
      const spec: LaunchSpec = {
        launch: 1,
        run_id: 'run-20260131-142233',
        role: 'builder',
        step: 'build',
        iteration: 1,
        backend: 'little',
        stream: 'text',
        argv: [process.execPath, script],
        cwd: dir,
        variables: Object.keys(env),
        environment: join(dir, `environment-${more.launch ?? 1}.json`),
        checks_environment: null,
        prompt: null,
        resumes: false,
        session: null,
        artefacts: [],
        created_at: new Date().toISOString(),
        ...more,
      };
      writeFileSync(spec.environment!, JSON.stringify(env));
      writeFileSync(files.launch(spec.launch), JSON.stringify(spec));
      return spec;
    },
    async run(asked?: AbortSignal): Promise<{ code: number; screen: string; exit: Exit | null }> {
      const { stdout, shown } = outputRecorder();
      const code = await runLaunch(runDir, 1, { stdout, ...(asked && { stopSignal: asked }) });
      return { code, screen: shown(), exit: await load(exitFile, files.exit(1)) };
    },
  };
}

export function outputRecorder(): { stdout: Writable; shown: () => string } {
  let all = '';
  const stdout = new Writable({
    write(chunk, _encoding, done) {
      all += String(chunk);
      done();
    },
  });
  return { stdout, shown: () => all };
}
