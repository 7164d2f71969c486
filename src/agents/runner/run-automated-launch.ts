/**
 * Runs one of Dure's own launches (set-up, checks, proof, exam): executes the job written for the launch, and
 * records its end like an agent's.
 */
import type { z } from 'zod';
import type { FileFormat } from '../../formats/define-file.ts';
import { diskFault } from '../../formats/disk-errors.ts';
import { load } from '../../formats/file.ts';
import type { Exit, LaunchSpec } from '../../formats/launch.ts';
import { type RunFiles, runFiles } from '../../formats/layout.ts';
import { plainText } from '../../formats/plain-text.ts';
import { killMarked, marksOf } from '../../process/kill.ts';
import { secretFilter, withoutSecrets } from '../../process/redact-secrets.ts';
import type { PaneOutput } from './pane-output.ts';

export type Ended = Pick<Exit, 'outcome' | 'kind' | 'message' | 'without'>;

/** The context of a job. */
export interface Work<Job> {
  readonly runDir: string;
  readonly files: RunFiles;
  readonly spec: LaunchSpec;
  readonly launch: number;
  readonly job: Job;
  /** Includes the marks by which leftover processes are found. */
  readonly env: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  /** Shows the output of a command. */
  readonly echo: (chunk: Buffer) => void;
}

export type AutomatedLaunch = (
  runDir: string,
  spec: LaunchSpec,
  env: Readonly<Record<string, string>>,
  screen: PaneOutput,
  asked: AbortSignal,
) => Promise<Exit>;

/**
 * An error thrown by `work` counts as a crash, unless it is a disk error or the launch was asked to stop.
 * Afterwards, no process of the launch is left.
 */
export const runAutomatedLaunch =
  <Shape extends z.ZodType>(
    format: FileFormat<Shape>,
    fileOf: (files: RunFiles) => (launch: number) => string,
    work: (of: Work<z.output<Shape>>) => Promise<Ended>,
  ): AutomatedLaunch =>
  async (runDir, spec, env, screen, asked) => {
    const { launch } = spec;
    const files = runFiles(runDir);
    const shown = secretFilter(text => screen.say(plainText(text.trimEnd())));
    const carriedOut = async (): Promise<Ended> => {
      const file = fileOf(files)(launch);
      const job = await load(format, file);
      if (!job) throw new Error(`${file} is missing`);
      return work({
        runDir,
        files,
        spec,
        launch,
        job,
        signal: asked,
        env: { ...env, ...marksOf(runDir, launch) },
        echo: shown.push,
      });
    };
    const ended = await carriedOut().catch((error: unknown) => ({
      ...(diskFault(error)
        ? { outcome: 'disk-full' as const, kind: 'resource' as const }
        : { outcome: 'error' as const, kind: 'crash' as const }),
      message: error instanceof Error ? error.message : String(error),
    }));
    shown.end();
    const how = asked.aborted ? { outcome: 'stopped' as const, kind: null, message: 'stopped' } : ended;
    killMarked(runDir, launch);
    return {
      launch,
      code: how.outcome === 'ok' ? 0 : 1,
      signal: null,
      ...how,
      message: withoutSecrets(how.message),
      retry_at: null,
      session: null,
      question: null,
      usage: null,
      session_cost_usd: null,
      ended_at: new Date().toISOString(),
    };
  };
