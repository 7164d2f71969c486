import { resolve } from 'node:path';
import { text as readAll } from 'node:stream/consumers';
import { Args, Flags } from '@oclif/core';
import { openQuestion } from '../core/run/requests/write-answer.ts';
import { readState } from '../core/run/run-store.ts';
import { missingFilesText } from '../core/text/missing-base-files-text.ts';
import type { StartedRun } from '../daemon/start-run.ts';
import { asTyped, DureError, dureError } from '../errors.ts';
import type { ProjectFiles, RunFiles } from '../formats/layout.ts';
import { readText } from '../formats/read-and-write-files.ts';
import type { RunState } from '../formats/state.ts';
import { answerQuestion } from '../terminal/answer-question.ts';
import { BaseCommand } from '../terminal/base-command.ts';
import { commandFailure } from '../terminal/error-output.ts';
import { setUpProject } from '../terminal/init-project.ts';
import { paint } from '../terminal/paint.ts';
import { dollarsOf } from '../terminal/parse-flag-values.ts';
import { ask, confirm, isInteractive } from '../terminal/prompt-for-input.ts';
import { followUntilIdle } from '../terminal/runs/follow-run-in-terminal.ts';
import { runProblem, runResult } from '../terminal/runs/run-json-and-error.ts';
import { untilSignal } from '../terminal/signals.ts';
import { terminalBell } from '../terminal/terminal-bell.ts';
import { columns, oneLineText, wrap } from '../terminal/text-layout.ts';
import { readyScreen } from '../terminal/views/pack-views.ts';
import { answerWords, questionView } from '../terminal/views/question-view.ts';
import { words } from '../words/cli/load-language.ts';
import { findProject } from '../workspace/project/find-project.ts';

/** Cassettes that ship with Dure; any other name is a file. */
const EMBEDDED = ['default', 'demo'];

export default class Start extends BaseCommand<typeof Start> {
  static override summary = 'Start a run from a briefing and follow it.';
  static override description =
    'Four agents refine the briefing, then build, verify and judge the result. Without a briefing, opens a web page to write one. Ctrl-C stops following; the run continues. Exit status: 0 ready for merge or completed, 1 failed, 3 waiting for your answer, 5 stopped or interrupted.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> "Add a --verbose flag that logs requests"',
    {
      command: '<%= config.bin %> <%= command.id %> --pipeline quick "Fix the typo in the help for serve"',
      description: 'Make a small change without refining the briefing.',
    },
    {
      command: '<%= config.bin %> <%= command.id %> --file briefing.md --detach',
      description: 'Read the briefing from a file and run in the background.',
    },
    {
      command: 'gh issue view 12 | <%= config.bin %> <%= command.id %> - --yes',
      description: "Read the briefing from a pipe and accept the agents' recommendations.",
    },
  ];
  static override args = {
    briefing: Args.string({
      ignoreStdin: true,
      description: 'What to do. "-" reads standard input.',
    }),
  };
  static override flags = {
    file: Flags.string({ char: 'f', helpValue: 'FILE', description: 'Read the briefing from a file.' }),
    yes: Flags.boolean({
      default: false,
      char: 'y',
      description: "Accept the agents' recommendations instead of asking.",
    }),
    detach: Flags.boolean({ default: false, char: 'd', description: 'Do not follow the run.' }),
    backend: Flags.string({ helpValue: 'NAME', description: 'Coding-agent CLI for all roles of this run.' }),
    pipeline: Flags.string({
      helpValue: 'NAME',
      description: 'Pipeline for this run: full, quick, or one defined by the project or a plugin.',
    }),
    cassette: Flags.string({
      helpValue: 'FILE',
      description: 'Cassette for the rehearsal backend: default, demo, or the path to a file.',
    }),
    budget: Flags.string({ helpValue: 'USD', description: 'Maximum cost of the run, in US dollars.' }),
    base: Flags.string({
      helpValue: 'REF',
      description: 'Commit, branch or tag to start from. Default: HEAD.',
    }),
    'include-changes': Flags.boolean({
      default: false,
      description: 'Include your uncommitted changes.',
    }),
    'accept-commands': Flags.boolean({
      default: false,
      description:
        'Accept set-up commands, checks, MCP servers, and decisions from earlier runs, even if they are new or have changed since you last saw them.',
    }),
    launcher: Flags.option({ options: ['tmux', 'process'] as const })({
      description: 'Where agents run. Default: tmux if it is installed, otherwise process.',
    }),
    port: Flags.integer({ min: 0, max: 65_535, description: 'Port for the web UI.' }),
    browser: Flags.boolean({ allowNo: true, default: true, description: 'Open the web pages.' }),
  };

  async run() {
    if (this.args.briefing !== undefined && this.flags.file !== undefined)
      throw dureError('E_BRIEFING_TWICE');
    const project = await this.readyProject();
    if (this.hasNoBriefing() && (await this.openBriefingPage(project))) return this.partialResult;
    const briefing = await this.briefing();
    const [{ startRun }, { attachCommandOf }, { hasTmux }] = await Promise.all([
      import('../daemon/start-run.ts'),
      import('../daemon/ensure-driver-and-pages.ts'),
      import('../agents/launchers/tmux-client.ts'),
    ]);
    const plugins = await this.plugins();
    const { backend, cassette, base, pipeline } = this.flags;
    const budget = this.flags.budget === undefined ? undefined : dollarsOf(this.flags.budget);
    const begin = (acceptCommands: boolean) =>
      startRun(
        project,
        {
          briefing,
          base,
          backend,
          pipeline,
          cassette: cassette === undefined || EMBEDDED.includes(cassette) ? cassette : resolve(cassette),
          budget_usd: budget,
          launcher: this.flags.launcher ?? (hasTmux() ? 'tmux' : 'process'),
          takeRecommendations: this.flags.yes,
          includeChanges: this.flags['include-changes'],
          acceptCommands,
          shell: process.env,
        },
        plugins,
      );
    const started = await begin(this.flags['accept-commands']).catch(error =>
      this.acceptedCommands(error).then(() => begin(true)),
    );
    const { runId, files, notIncluded, missing } = started;
    this.partialResult = {
      run_id: runId,
      not_included: notIncluded,
      ...(missing && { missing_files: missing }),
    };
    this.announce(started);
    const { port } = this.flags;
    await this.warnOfOtherPort(project);
    const drive = () =>
      this.ensureDriver(project, files, {
        ...(port !== undefined && { port }),
        noBrowser: !this.flags.browser || this.jsonEnabled(),
      });
    await drive();
    const attach = await attachCommandOf(project, files, plugins);
    this.partialResult = { ...this.partialResult, attach };
    if (attach) this.log(paint('dim', words().start.attach(`dure attach ${runId}`)));
    if (this.flags.detach) {
      this.log(words().start.detached(paint('cyan', `dure watch ${runId}`)));
      return { ...this.partialResult, ...runResult((await readState(files))!) };
    }
    return this.follow(project, files, runId, drive);
  }

  /** Shows the new or changed commands and decisions that `error` lists. Rethrows it unless the user accepts them. */
  private async acceptedCommands(error: unknown): Promise<void> {
    const changed = error instanceof DureError && error.code === 'E_COMMANDS_CHANGED';
    if (!changed || !isInteractive() || this.jsonEnabled()) throw error;
    this.log(commandFailure(error).message);
    if (!(await confirm(words().start.acceptCommands))) throw error;
  }

  private async follow(project: ProjectFiles, files: RunFiles, runId: string, drive: () => Promise<void>) {
    const interactive = isInteractive() && !this.jsonEnabled();
    const bell = await terminalBell(project, files, (await readState(files))!.started_at);
    const progress = await this.progressOf(files);
    const left = await untilSignal(signal =>
      followUntilIdle(
        files,
        {
          progress,
          ask: interactive
            ? async (run, crp, withdrawn) => {
                const vcr = await answerQuestion(files, run, crp, withdrawn);
                if (vcr) await drive();
                return vcr !== null;
              }
            : null,
          stopAtQuestion: true,
          bell,
        },
        signal,
      ),
    ).catch((error: unknown) => {
      this.log(
        `\n${words().start.left(runId, paint('cyan', `dure watch ${runId}`), paint('cyan', `dure stop ${runId}`))}`,
      );
      throw error;
    });
    const state = left ?? (await readState(files))!;
    this.partialResult = { ...this.partialResult, ...runResult(state) };
    await this.reportDriverPluginProblems(files);
    await this.printNextSteps(files, state, interactive);
    const problem = runProblem(state);
    if (problem) throw problem;
    return this.partialResult;
  }

  private announce({ runId, notIncluded, missing, isUnlimited }: StartedRun): void {
    this.log(`${paint('bold', runId)}`);
    if (isUnlimited) this.log(wrap(words().start.isUnlimited, columns()));
    if (missing) {
      const names = missingFilesText(missing).map(oneLineText).join(', ');
      this.log(paint('yellow', wrap(words().start.missing(names), columns())));
    }
    if (notIncluded.length === 0) return;
    const files = notIncluded.slice(0, 5).map(oneLineText).join(', ');
    this.log(paint('yellow', wrap(words().start.notIncluded(files, notIncluded.length - 5), columns())));
  }

  /** Warns if the server of the project already uses a port other than `--port`. */
  private async warnOfOtherPort(project: ProjectFiles): Promise<void> {
    if (!this.flags.port) return;
    const { serverOf } = await import('../server/server-files.ts');
    const server = await serverOf(project);
    if (server && server.port !== this.flags.port)
      this.logToStderr(paint('yellow', words().start.otherPort(server.url)));
  }

  private async printNextSteps(files: RunFiles, s: RunState, interactive: boolean): Promise<void> {
    if (this.jsonEnabled()) return;
    if (s.phase === 'waiting_human') {
      const crp = await openQuestion(files, s);
      if (!interactive) this.log(`\n${questionView(crp, columns())}`);
      this.log(answerWords(s, crp));
    }
    if (s.phase === 'ready_for_merge') this.log(await readyScreen(files, s));
  }

  private async readyProject(): Promise<ProjectFiles> {
    try {
      return await findProject(this.startFolder);
    } catch (error) {
      if (!isInteractive() || this.jsonEnabled() || (error as { code?: string }).code !== 'E_NOT_A_PROJECT')
        throw error;
      const { backend } = this.flags;
      this.log(words().start.notSetUp);
      const { newProjectRoot } = await import('../workspace/project/new-project-root.ts');
      const { root, directory } = await newProjectRoot(this.startFolder);
      if (root !== this.startFolder) this.log(words().init.atTop(root, directory));
      const ready = await setUpProject(root, {
        directory,
        bypass: undefined,
        backend: undefined,
        mayAsk: backend !== 'rehearsal',
        plugins: [],
      });
      return ready.project;
    }
  }

  private hasNoBriefing(): boolean {
    return this.args.briefing === undefined && this.flags.file === undefined;
  }

  /** If there is a display, opens the page for writing a briefing, with its preview and hints. */
  private async openBriefingPage(project: ProjectFiles): Promise<boolean> {
    if (!this.flags.browser || !isInteractive() || this.jsonEnabled()) return false;
    const [{ ensurePages }, { hasScreen }, { pageLinkTo }] = await Promise.all([
      import('../daemon/ensure-driver-and-pages.ts'),
      import('../server/client/write-redirect-page.ts'),
      import('../server/client/page-link.ts'),
    ]);
    if (!hasScreen()) return false;
    const { port } = this.flags;
    await ensurePages(project, port === undefined ? {} : { port });
    const link = await pageLinkTo(project, '/run/new');
    if (!(await link?.open())) return false;
    this.log(words().pages.write(link!.address));
    return true;
  }

  private async briefing(): Promise<string> {
    const text = await this.readBriefing();
    if (text.trim() === '') throw dureError('E_BRIEFING_EMPTY');
    return text;
  }

  private async readBriefing(): Promise<string> {
    const { file } = this.flags;
    if (file !== undefined) return readBriefing(file);
    if (this.args.briefing === '-') return readAll(process.stdin);
    if (this.args.briefing !== undefined) return this.args.briefing;
    return isInteractive() && !this.jsonEnabled() ? ((await ask(words().start.what)) ?? '') : '';
  }
}

async function readBriefing(file: string): Promise<string> {
  const text = await readText(file);
  if (text === null) throw dureError('E_FILE_MISSING', { file: asTyped(file) });
  return text;
}
