/**
 * Sets up a sample the way a user has it: an origin, a clone, a shell environment and `dure`. The home folder, package
 * manager configuration and Dure's state are separate for each test; packages come from the loopback registries.
 */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, relative } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { readState } from '../../src/core/run/run-store.ts';
import { projectFiles, type RunFiles, runFiles } from '../../src/formats/layout.ts';
import type { RunState } from '../../src/formats/state.ts';
import { endTmux } from '../helpers/end-tmux.ts';
import { type NpmRegistry, npmRegistry } from '../helpers/registry/npm.ts';
import { type PythonIndex, pythonIndex, whyNoPythonIndex } from '../helpers/registry/python.ts';
import { personAt } from '../helpers/registry/registry-user.ts';
import { bin, type CommandResult, endProcesses } from '../helpers/test-project.ts';
import type { Files, Sample } from './sample.ts';
import { played } from './sample-cassette.ts';

export interface Field {
  /** Creates a new clone of the sample and runs `dure init` in it. */
  clone(): Promise<Clone>;
  end(): Promise<void>;
}

export interface Clone {
  readonly root: string;
  /** The parent folder of the checkout, which is removed with it. */
  readonly beside: string;
  /** Output of `dure init`. */
  readonly initiated: CommandResult;
  /** Script of the Verifier, see scripted-verifier.mjs. */
  readonly script: string;
  sh(command: string): Promise<CommandResult>;
  dure(...args: string[]): Promise<CommandResult>;
  write(files: Files): Promise<void>;
  /** Starts a run whose Builder writes `written`, and follows the run until it needs the user or is over. */
  run(written: Files): Promise<Followed>;
}

export interface Followed {
  readonly state: RunState;
  readonly files: RunFiles;
  /** Logs and files that help to diagnose a failure. */
  readonly story: string;
}

/** Additions to the user's shell environment. */
export interface Shell {
  /** Folders to prepend to PATH. */
  readonly programs: readonly string[];
  readonly variables: Env;
}

export async function fieldOf(
  sample: Sample,
  { programs, variables }: Shell = { programs: [], variables: {} },
): Promise<Field> {
  const top = await realpath(await mkdtemp(join(tmpdir(), 'dure-field-')));
  const npm: NpmRegistry = await npmRegistry();
  const python: PythonIndex | null = whyNoPythonIndex() === null ? await pythonIndex() : null;
  const person = await personAt(top, { npm: npm.url, python: python?.url }, sample.yarn);
  const clones: string[] = [];

  const origin = join(top, 'origin');
  await mkdir(origin);
  await writeAll(origin, sample.files);
  await must('git init -q -b main', origin, person.env);
  if (sample.lock) await must(sample.lock, origin, person.env);
  await must('git add -A && git commit -qm "A beginning"', origin, person.env);
  const script = join(top, 'verifier.json');
  await writeFile(
    script,
    JSON.stringify({ ...sample.verifier, run: relative(sample.directory ?? '', sample.verifier.place) }),
  );

  return {
    async clone() {
      const place = join(top, `clone-${clones.length + 1}`);
      const clone = join(place, 'sample');
      await must(`git clone -q '${origin}' '${clone}'`, top, person.env);
      clones.push(clone);
      const shell: Env = {
        ...person.env,
        TOP: place,
        ...sample.shell?.({ clone, top: place, PATH: person.env['PATH']! }),
        ...variables,
      };
      const env = { ...shell, PATH: [...programs, shell['PATH']].join(delimiter) };
      if (sample.worked) await must(sample.worked, clone, { ...person.env, TOP: place });
      const root = join(clone, sample.directory ?? '');
      const dure = (...args: string[]) => ran(process.execPath, [bin, ...args], root, env);
      const initiated = await dure('init', '--yes', '--allow-bypass', '--backend', 'rehearsal');
      // No retries, so that the user is asked after a failure.
      await dure('config', 'set', 'global.max_iterations', '1');
      let runs = 0;
      return {
        root,
        beside: place,
        initiated,
        script,
        sh: command => ran('sh', ['-c', command], clone, env),
        dure,
        write: files => writeAll(clone, files),
        async run(written) {
          runs += 1;
          const tape = join(place, `${runs}.cassette.json`);
          await writeFile(tape, JSON.stringify(played(written, script)));
          const started = await dure(
            'start',
            'Do what the sample says.',
            '--cassette',
            tape,
            '--json',
            '--launcher',
            'process',
            '--no-browser',
          );
          const { run_id, phase } = JSON.parse(started.stdout) as { run_id?: string; phase?: string };
          if (run_id === undefined) throw new Error(`no run: ${started.stdout}${started.stderr}`);
          const files = runFiles(projectFiles(clone).run(run_id));
          return { state: await savedIn(files, phase), files, story: await storyOf(files) };
        },
      };
    },
    async end() {
      for (const clone of clones) {
        await endProcesses(projectFiles(clone));
        await endTmux(clone);
      }
      await npm.close();
      await python?.close();
      await rm(top, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    },
  };
}

async function writeAll(root: string, files: Files): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    const file = join(root, path);
    if (text === null) {
      await rm(file);
      continue;
    }
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
}

/** Waits for the saved state, which is written shortly after the events. */
async function savedIn(files: RunFiles, phase: string | undefined): Promise<RunState> {
  for (;;) {
    const state = await readState(files);
    if (state && (state.phase === phase || phase === undefined)) return state;
    await pause(50);
  }
}

async function storyOf(files: RunFiles): Promise<string> {
  const parts = [files.events, files.testLog, join(files.dir, 'verifier', 'error.log')];
  const texts = await Promise.all(parts.map(part => readFile(part, 'utf8').catch(() => '')));
  // The first event contains the whole configuration of the run, which is not useful here.
  return texts.join('\n').slice(texts[0]?.indexOf('\n') ?? 0);
}

type Env = Readonly<Record<string, string>>;

async function must(command: string, cwd: string, env: Env): Promise<void> {
  await promisify(execFile)('sh', ['-c', command], { cwd, env });
}

async function ran(program: string, args: readonly string[], cwd: string, env: Env): Promise<CommandResult> {
  return new Promise(resolve => {
    execFile(program, args, { cwd, env, maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code ?? 1) : 0, signal: error?.signal ?? null, stdout, stderr });
    });
  });
}
