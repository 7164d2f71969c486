/**
 * Runs one of Dure's own launches (set-up, checks, proof, exam): executes the job written for the launch, and
 * records its end like an agent's.
 */
import type { z } from 'zod';
import { minimalExit } from '../../formats/build-minimal-exit.ts';
import { diskFault } from '../../formats/file-system/temporary-disk-errors.ts';
import type { Exit, LaunchSpec } from '../../formats/launch.ts';
import { type RunFiles, runFiles } from '../../formats/layout.ts';
import { load } from '../../formats/read-and-write-files.ts';
import type { FileFormat } from '../../formats/schema/define-file.ts';
import { plainText } from '../../formats/text/plain-text.ts';
import { killMarked, marksOf } from '../../process/kill.ts';
import { secretFilter, withoutSecrets } from '../../process/redact-secrets.ts';
import type { ClaimedLaunch } from './claimed-launch-interface.ts';

export type JobResult = Pick<Exit, 'outcome' | 'kind' | 'message' | 'without' | 'missing'>;

/** What `work` receives: the job, and what it needs from its launch. */
export interface JobContext<Job> {
  readonly runDir: string;
  readonly files: RunFiles;
  readonly spec: LaunchSpec;
  readonly launch: number;
  readonly job: Job;
  /** Includes the marks that identify leftover processes. */
  readonly env: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  /** Shows the output of a command. */
  readonly echo: (chunk: Buffer) => void;
}

export type AutomatedLaunch = (claimed: ClaimedLaunch) => Promise<Exit>;

/**
 * An error thrown by `work` counts as a crash, unless it is a disk error or the launch was asked to stop.
 * When the launch has ended, none of its processes is left.
 */
export const runAutomatedLaunch =
  <Shape extends z.ZodType>(
    format: FileFormat<Shape>,
    fileOf: (files: RunFiles) => (launch: number) => string,
    work: (context: JobContext<z.output<Shape>>) => Promise<JobResult>,
  ): AutomatedLaunch =>
  async ({ runDir, spec, env, screen, stopSignal }) => {
    const { launch } = spec;
    const files = runFiles(runDir);
    const output = secretFilter(text => screen.print(plainText(text.trimEnd())));
    const runJob = async (): Promise<JobResult> => {
      const file = fileOf(files)(launch);
      const job = await load(format, file);
      if (!job) throw new Error(`${file} is missing`);
      return work({
        runDir,
        files,
        spec,
        launch,
        job,
        signal: stopSignal,
        env: { ...env, ...marksOf(runDir, launch) },
        echo: output.push,
      });
    };
    const ended = await runJob().catch((error: unknown) => ({
      ...(diskFault(error)
        ? { outcome: 'disk-full' as const, kind: 'resource' as const }
        : { outcome: 'error' as const, kind: 'crash' as const }),
      message: error instanceof Error ? error.message : String(error),
    }));
    output.end();
    const end = stopSignal.aborted ? { outcome: 'stopped' as const, kind: null, message: 'stopped' } : ended;
    killMarked(runDir, launch);
    return {
      ...minimalExit(launch, { ...end, message: withoutSecrets(end.message) }),
      code: end.outcome === 'ok' ? 0 : 1,
    };
  };
