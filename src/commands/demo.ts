import { writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { Flags } from '@oclif/core';
import { demoBriefing, demoProject } from '../agents/rehearsal/cassettes/demo-files.ts';
import { requestApproval } from '../core/run/requests/write-requests.ts';
import { dureError } from '../errors.ts';
import { createFolder } from '../formats/file-system/create-folder.ts';
import { namesIn } from '../formats/file-system/path-status.ts';
import { temporaryFolder } from '../formats/file-system/temporary-folder.ts';
import type { ProjectFiles, RunFiles } from '../formats/layout.ts';
import type { RunState } from '../formats/state.ts';
import type { Contributions } from '../plugins/load-contributions.ts';
import { anySignal } from '../process/abort-signals-and-timeouts.ts';
import { answerQuestion } from '../terminal/answer-question.ts';
import { BaseCommand } from '../terminal/base-command.ts';
import { chooseProgress } from '../terminal/choose-progress.ts';
import { setUpProject } from '../terminal/init-project.ts';
import { paint } from '../terminal/paint.ts';
import { ask, isInteractive } from '../terminal/prompt-for-input.ts';
import { type FollowOptions, followUntilIdle } from '../terminal/runs/follow-run-in-terminal.ts';
import { readShownPack } from '../terminal/runs/read-and-verify-shown-pack.ts';
import { runProblem, runResult } from '../terminal/runs/run-json-and-error.ts';
import { untilSignal } from '../terminal/signals.ts';
import { decideCommands } from '../terminal/suggested-commands.ts';
import { columns, pad, wrap } from '../terminal/text-layout.ts';
import { packScreen, screenSize } from '../terminal/views/pack-on-one-screen.ts';
import { words } from '../words/cli/load-language.ts';

export default class Demo extends BaseCommand<typeof Demo> {
  static override summary = 'Play a complete run on a sample project, without a model.';
  static override flags = {
    yes: Flags.boolean({
      default: false,
      char: 'y',
      description: 'Do not ask: choose the recommended option and approve.',
    }),
    keep: Flags.string({
      helpValue: 'DIR',
      description: 'Folder to create the sample project in. Default: a temporary folder.',
    }),
  };

  async run() {
    const root = await this.folder();
    this.log(
      `\n${paint('bold', 'dure demo')}\n\n${wrap(words().demo.what, columns())}\n\n${words().demo.sample(root)}\n`,
    );
    await makeProject(root);
    const asks = isInteractive() && !this.flags.yes && !this.jsonEnabled();
    const plugins = await this.plugins();
    const sections = Object.keys(plugins.configShapes);
    const { project } = await setUpProject(root, {
      bypass: undefined,
      backend: 'rehearsal',
      mayAsk: false,
      plugins: sections,
    });
    const { startRun } = await import('../daemon/start-run.ts');
    this.log(`${paint('dim', words().demo.briefing)}\n${wrap(demoBriefing.trim(), columns(), '  ')}\n`);
    const { runId, files } = await startRun(
      project,
      {
        briefing: demoBriefing,
        cassette: 'demo',
        launcher: 'process',
        takeRecommendations: !asks,
        includeChanges: false,
        shell: process.env,
      },
      plugins,
    );
    this.partialResult = { rehearsal: true, project: root, run_id: runId };
    const state = await this.play(project, files, plugins, asks);
    this.partialResult = { ...this.partialResult, ...runResult(state) };
    await this.reportDriverPluginProblems(files);
    const problem = runProblem(state);
    if (problem) throw problem;
    this.printNextSteps(root, state);
    return this.partialResult;
  }

  private async play(
    project: ProjectFiles,
    files: RunFiles,
    plugins: Contributions,
    asks: boolean,
  ): Promise<RunState> {
    const { driveRun } = await import('../daemon/drive-run.ts');
    const progress = await chooseProgress(files, this.jsonEnabled(), line => this.log(line));
    return untilSignal(async signal => {
      const leave = new AbortController();
      const until = anySignal(signal, leave.signal).signal;
      const over = driveRun(project, files, plugins, { signal: until });
      // Stop following the run if driving it fails.
      const follow = new AbortController();
      over.catch(() => follow.abort());
      const person: FollowOptions['ask'] = async (run, crp, withdrawn) =>
        (await answerQuestion(files, run, crp, withdrawn)) !== null;
      const here: FollowOptions = { progress, ask: asks ? person : null, stopAtQuestion: true, bell: null };
      const ready = await followUntilIdle(files, here, anySignal(until, follow.signal).signal);
      if (ready?.phase === 'ready_for_merge' && (await this.approves(files, ready, asks, signal)))
        await requestApproval(files, ready, { how: 'merge' });
      else leave.abort();
      return over;
    });
  }

  private async approves(
    files: RunFiles,
    ready: RunState,
    asks: boolean,
    signal: AbortSignal,
  ): Promise<boolean> {
    this.log(`\n${paint('bold', words().pack.title)}`);
    this.log(`${packScreen(await readShownPack(files, ready), screenSize(), [])}\n`);
    if (!asks) return true;
    const typed = await ask(words().demo.approve, signal);
    return typed !== null && !/^n/i.test(typed);
  }

  private printNextSteps(root: string, s: RunState): void {
    const w = words().demo;
    const there = (command: string) => `${command.replace(/^dure/, commandNameOf())} --project ${root}`;
    const next =
      s.phase === 'completed'
        ? [`git -C ${root} log --stat -3`, there('dure review')]
        : ['dure review', ...decideCommands(s)].map(there);
    const more = [...next, ...['dure review --diff', 'dure logs', 'dure logs --agent builder'].map(there)];
    this.log(
      [
        '',
        s.phase === 'completed' ? `${paint('green', '✔')} ${w.merged}` : w.notMerged,
        '',
        w.still,
        `  ${pad(w.project, 12)}  ${root}`,
        `  ${pad(w.pack, 12)}  ${join(root, '.dure', 'runs', s.run_id, 'mrp')}`,
        '',
        ...[...new Set(more)].map(command => `  ${paint('cyan', command)}`),
        '',
        w.forReal,
        `  ${paint('cyan', `${commandNameOf()} init`)}`,
        `  ${paint('cyan', `${commandNameOf()} start "${words().init.task}"`)}`,
        '',
      ].join('\n'),
    );
  }

  private async folder(): Promise<string> {
    if (this.flags.keep === undefined) return temporaryFolder('dure-demo-');
    const dir = resolve(this.flags.keep);
    const there = await namesIn(dir);
    if (there.length > 0) throw dureError('E_FOLDER_FULL', { dir });
    return dir;
  }
}

/** Returns the command to print: `dure` may not be on PATH if it runs from a clone of Dure's repository. */
function commandNameOf(): string {
  const called = process.argv[1] ?? 'dure';
  return basename(called) === 'run.js' ? `node ${called}` : 'dure';
}

async function makeProject(root: string): Promise<void> {
  for (const [path, text] of Object.entries(demoProject)) {
    await createFolder(dirname(join(root, path)));
    await writeFile(join(root, path), text);
  }
  const { runGit, signedByDure } = await import('../workspace/git/run-git.ts');
  const env = signedByDure(new Date().toISOString());
  for (const args of [
    ['init', '--quiet', '--initial-branch=main'],
    ['add', '--all'],
    // The commit must not need a signing passphrase or the user's git identity.
    ['config', 'commit.gpgSign', 'false'],
    ['config', 'user.name', 'Demo'],
    ['config', 'user.email', 'demo@localhost'],
    ['commit', '--quiet', '--message=A small blog'],
  ]) {
    const { code, stderr } = await runGit(args, { cwd: root, env });
    if (code !== 0) throw dureError('E_GIT', { command: args[0]!, stderr });
  }
}
