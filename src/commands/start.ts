import { resolve } from 'node:path';
import { Args, Flags } from '@oclif/core';
import { BaseCommand } from '../base-command.ts';
import { readState } from '../core/run-store.ts';
import { openQuestion } from '../core/wishes.ts';
import { dureError } from '../errors.ts';
import { readText } from '../formats/file.ts';
import type { ProjectFiles, RunFiles } from '../formats/layout.ts';
import type { RunState } from '../formats/state.ts';
import { findProject } from '../project.ts';
import { accompany } from '../terminal/accompany.ts';
import { ask, isInteractive } from '../terminal/ask.ts';
import { askPerson } from '../terminal/asking.ts';
import { bellFor } from '../terminal/bell.ts';
import { chooseProgress } from '../terminal/choose-progress.ts';
import { answerWords, readyWords } from '../terminal/next-step.ts';
import { outcomeOf, problemOf } from '../terminal/outcome.ts';
import { paint } from '../terminal/paint.ts';
import { questionView } from '../terminal/question-view.ts';
import { setUp } from '../terminal/set-up.ts';
import { untilSignal } from '../terminal/signals.ts';
import { columns, oneLine, wrap } from '../terminal/text.ts';
import { words } from '../words/cli/words.ts';

/** Cassettes that come with Dure; any other name is a file. */
const EMBEDDED = ['default', 'demo'];

export default class Start extends BaseCommand<typeof Start> {
  static override summary = 'Start a run from a briefing and follow it.';
  static override description =
    'Four agents refine, build, verify and judge. Without a briefing, the page for writing one is opened. Leaving with Ctrl-C leaves the run going. Exit status: 0 ready for merge or completed, 1 failed, 3 a question waits for you, 5 stopped or interrupted.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> "Add a --verbose flag that logs requests"',
    {
      command: '<%= config.bin %> <%= command.id %> --file briefing.md --detach',
      description: 'From a file, in the background.',
    },
    {
      command: 'gh issue view 12 | <%= config.bin %> <%= command.id %> - --yes',
      description: 'From a pipe, taking what the agents recommend.',
    },
  ];
  static override args = {
    briefing: Args.string({
      ignoreStdin: true,
      description: 'What should be done. "-" reads standard input.',
    }),
  };
  static override flags = {
    file: Flags.string({ char: 'f', helpValue: 'FILE', description: 'Read the briefing from a file.' }),
    yes: Flags.boolean({
      default: false,
      char: 'y',
      description: 'Take what the agents recommend instead of asking.',
    }),
    detach: Flags.boolean({ default: false, char: 'd', description: 'Do not follow the run.' }),
    backend: Flags.string({ helpValue: 'NAME', description: 'Coding-agent CLI for all roles of this run.' }),
    cassette: Flags.string({
      helpValue: 'FILE',
      description: 'What the rehearsal backend plays: a file, or default, or demo.',
    }),
    budget: Flags.string({ helpValue: 'USD', description: 'Most the run may cost, in US dollars.' }),
    base: Flags.string({
      helpValue: 'REF',
      description: 'Commit, branch or tag to start from. Default: where you are.',
    }),
    'include-changes': Flags.boolean({
      default: false,
      description: 'Start from your uncommitted changes too.',
    }),
    launcher: Flags.option({ options: ['tmux', 'process'] as const })({
      description: 'Where agents run. Default: tmux when it is installed.',
    }),
    port: Flags.integer({ min: 0, max: 65_535, description: 'Port of the web pages.' }),
    browser: Flags.boolean({ allowNo: true, default: true, description: 'Open the web pages.' }),
  };

  async run() {
    if (this.args.briefing !== undefined && this.flags.file !== undefined)
      throw dureError('E_BRIEFING_TWICE');
    const project = await this.readyProject();
    if (this.saysNothing() && (await this.writtenOnPage(project))) return this.known;
    const briefing = await this.briefing();
    const [{ startRun }, { attachCommand }, { hasTmux }] = await Promise.all([
      import('../app.ts'),
      import('../driver.ts'),
      import('../agents/launchers/tmux-client.ts'),
    ]);
    const plugins = await this.plugins();
    const { backend, cassette, base } = this.flags;
    const budget = this.budget();
    const { runId, files, notIncluded } = await startRun(
      project,
      {
        briefing,
        ...(base !== undefined && { base }),
        ...(backend !== undefined && { backend }),
        ...(cassette !== undefined && {
          cassette: EMBEDDED.includes(cassette) ? cassette : resolve(cassette),
        }),
        ...(budget !== undefined && { budget_usd: budget }),
        launcher: this.flags.launcher ?? (hasTmux() ? 'tmux' : 'process'),
        takeRecommendations: this.flags.yes,
        includeChanges: this.flags['include-changes'],
        shell: process.env,
      },
      plugins,
    );
    this.known = { run_id: runId, not_included: notIncluded };
    this.announce(runId, notIncluded);
    const { port } = this.flags;
    const drive = () =>
      this.ensureDriver(project, files, {
        ...(port !== undefined && { port }),
        noBrowser: !this.flags.browser || this.jsonEnabled(),
      });
    await drive();
    const attach = await attachCommand(project, files, plugins);
    this.known = { ...this.known, attach };
    if (attach) this.log(paint('dim', words().start.attach(`dure attach ${runId}`)));
    if (this.flags.detach) {
      this.log(words().start.detached(paint('cyan', `dure watch ${runId}`)));
      return { ...this.known, ...outcomeOf((await readState(files))!) };
    }
    return this.follow(project, files, runId, drive);
  }

  private async follow(project: ProjectFiles, files: RunFiles, runId: string, drive: () => Promise<void>) {
    const interactive = isInteractive() && !this.jsonEnabled();
    const bell = await bellFor(project, files, (await readState(files))!.started_at);
    const progress = await chooseProgress(files, this.jsonEnabled(), line => this.log(line));
    const left = await untilSignal(signal =>
      accompany(
        files,
        {
          progress,
          ask: interactive
            ? async (crp, withdrawn) => {
                const vcr = await askPerson(files, crp, withdrawn);
                if (vcr) await drive();
                return vcr !== null;
              }
            : null,
          leaveWhenAsked: true,
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
    this.known = { ...this.known, ...outcomeOf(state) };
    await this.complaints(files);
    await this.farewell(files, state, interactive);
    const problem = problemOf(state);
    if (problem) throw problem;
    return this.known;
  }

  private announce(runId: string, notIncluded: readonly string[]): void {
    this.log(`${paint('bold', runId)}`);
    if (notIncluded.length === 0) return;
    const files = notIncluded.slice(0, 5).map(oneLine).join(', ');
    this.log(paint('yellow', wrap(words().start.notIncluded(files, notIncluded.length - 5), columns())));
  }

  private async farewell(files: RunFiles, s: RunState, interactive: boolean): Promise<void> {
    if (this.jsonEnabled()) return;
    if (s.phase === 'waiting_human') {
      const crp = await openQuestion(files, s);
      if (!interactive) this.log(`\n${questionView(crp, columns())}`);
      this.log(answerWords(s, crp));
    }
    if (s.phase === 'ready_for_merge') this.log(readyWords(s, Date.now()));
  }

  private async readyProject(): Promise<ProjectFiles> {
    try {
      return await findProject(this.where);
    } catch (error) {
      if (!isInteractive() || this.jsonEnabled() || (error as { code?: string }).code !== 'E_NOT_A_PROJECT')
        throw error;
      const { backend } = this.flags;
      this.log(words().start.notSetUp);
      const { placeOf } = await import('../workspace/project-place.ts');
      const { root, directory } = await placeOf(this.where);
      if (root !== this.where) this.log(words().init.atTop(root, directory));
      const ready = await setUp(root, {
        directory,
        bypass: undefined,
        backend: undefined,
        mayAsk: backend !== 'rehearsal',
        plugins: [],
      });
      return ready.project;
    }
  }

  private saysNothing(): boolean {
    return this.args.briefing === undefined && this.flags.file === undefined;
  }

  /** Where there is a screen, a briefing is written in the browser, with preview and hints. */
  private async writtenOnPage(project: ProjectFiles): Promise<boolean> {
    if (!this.flags.browser || !isInteractive() || this.jsonEnabled()) return false;
    const [{ ensurePages }, { hasScreen, wayTo }] = await Promise.all([
      import('../driver.ts'),
      import('../steering/pages.ts'),
    ]);
    if (!hasScreen()) return false;
    const { port } = this.flags;
    await ensurePages(project, port === undefined ? {} : { port });
    const way = await wayTo(project, '/run/new');
    if (!(await way?.open())) return false;
    this.log(words().pages.write(way!.address));
    return true;
  }

  private async briefing(): Promise<string> {
    const text = await this.given();
    if (text.trim() === '') throw dureError('E_BRIEFING_EMPTY');
    return text;
  }

  private async given(): Promise<string> {
    const { file } = this.flags;
    if (file !== undefined) return readBriefing(file);
    if (this.args.briefing === '-') return readAll(process.stdin);
    if (this.args.briefing !== undefined) return this.args.briefing;
    return isInteractive() && !this.jsonEnabled() ? ((await ask(words().start.what)) ?? '') : '';
  }

  private budget(): number | undefined {
    const { budget } = this.flags;
    if (budget === undefined) return undefined;
    const usd = Number(budget.replace(/^\$/, ''));
    if (!(usd > 0)) throw dureError('E_BUDGET', { budget });
    return usd;
  }
}

async function readBriefing(file: string): Promise<string> {
  const text = await readText(file).catch((error: Error) => {
    throw dureError('E_FILE_UNREADABLE', { file, why: error.message });
  });
  if (text === null) throw dureError('E_FILE_MISSING', { file });
  return text;
}

async function readAll(stream: NodeJS.ReadableStream): Promise<string> {
  let text = '';
  for await (const chunk of stream.setEncoding('utf8')) text += String(chunk);
  return text;
}
