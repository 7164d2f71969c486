import { mkdir, mkdtemp, readdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { Flags } from '@oclif/core';
import { demoBriefing, demoProject } from '../agents/rehearse/cassettes/demo-project.ts';
import { BaseCommand } from '../base-command.ts';
import { leaveApproval } from '../core/wishes.ts';
import { dureError } from '../errors.ts';
import { load } from '../formats/file.ts';
import type { ProjectFiles, RunFiles } from '../formats/layout.ts';
import { evidenceFile } from '../formats/mrp.ts';
import type { RunState } from '../formats/state.ts';
import type { Gathered } from '../plugins/host.ts';
import { firstOf } from '../process/abort.ts';
import { accompany, type Company } from '../terminal/accompany.ts';
import { ask, isInteractive } from '../terminal/ask.ts';
import { askPerson } from '../terminal/asking.ts';
import { chooseProgress } from '../terminal/choose-progress.ts';
import { outcomeOf, problemOf } from '../terminal/outcome.ts';
import { evidenceView } from '../terminal/pack-view.ts';
import { paint } from '../terminal/paint.ts';
import { setUp } from '../terminal/set-up.ts';
import { untilSignal } from '../terminal/signals.ts';
import { columns, pad, wrap } from '../terminal/text.ts';
import { decideCommands } from '../terminal/waits.ts';
import { words } from '../words/cli/words.ts';

export default class Demo extends BaseCommand<typeof Demo> {
  static override summary = 'See a whole run on a sample project, without a model.';
  static override flags = {
    yes: Flags.boolean({
      default: false,
      char: 'y',
      description: 'Ask nothing: take the recommendation and approve.',
    }),
    keep: Flags.string({
      helpValue: 'DIR',
      description: 'Make the sample project here. Default: a temporary folder.',
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
    const { project } = await setUp(root, {
      bypass: undefined,
      backend: 'rehearsal',
      mayAsk: false,
      plugins: sections,
    });
    const { startRun } = await import('../app.ts');
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
    this.known = { rehearsal: true, project: root, run_id: runId };
    const state = await this.play(project, files, plugins, asks);
    this.known = { ...this.known, ...outcomeOf(state) };
    await this.complaints(files);
    const problem = problemOf(state);
    if (problem) throw problem;
    this.farewell(root, state);
    return this.known;
  }

  private async play(
    project: ProjectFiles,
    files: RunFiles,
    plugins: Gathered,
    asks: boolean,
  ): Promise<RunState> {
    const { driveRun } = await import('../app.ts');
    const progress = await chooseProgress(files, this.jsonEnabled(), line => this.log(line));
    return untilSignal(async signal => {
      const leave = new AbortController();
      const until = firstOf(signal, leave.signal).signal;
      const over = driveRun(project, files, plugins, { signal: until });
      // When driving fails there is nothing left to look on at.
      const company = new AbortController();
      over.catch(() => company.abort());
      const person: Company['ask'] = async (crp, withdrawn) =>
        (await askPerson(files, crp, withdrawn)) !== null;
      const here: Company = { progress, ask: asks ? person : null, leaveWhenAsked: true, bell: null };
      const ready = await accompany(files, here, firstOf(until, company.signal).signal);
      if (ready?.phase === 'ready_for_merge' && (await this.approves(files, asks, signal)))
        await leaveApproval(files, ready, ready.mrp?.tree, 'merge');
      else leave.abort();
      return over;
    });
  }

  private async approves(files: RunFiles, asks: boolean, signal: AbortSignal): Promise<boolean> {
    const evidence = await load(evidenceFile, files.evidence);
    this.log(`\n${paint('bold', words().pack.title)}`);
    if (evidence) this.log(evidenceView(evidence, columns()));
    this.log('');
    if (!asks) return true;
    const typed = await ask(words().demo.approve, signal);
    return typed !== null && !/^n/i.test(typed);
  }

  private farewell(root: string, s: RunState): void {
    const w = words().demo;
    const there = (command: string) => `${command.replace(/^dure/, calledAs())} --project ${root}`;
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
        `  ${paint('cyan', `${calledAs()} init`)}`,
        `  ${paint('cyan', `${calledAs()} start "${w.task}"`)}`,
        '',
      ].join('\n'),
    );
  }

  private async folder(): Promise<string> {
    if (this.flags.keep === undefined) return mkdtemp(join(tmpdir(), 'dure-demo-'));
    const dir = resolve(this.flags.keep);
    const there = await readdir(dir).catch(() => []);
    if (there.length > 0) throw dureError('E_FOLDER_FULL', { dir });
    return dir;
  }
}

/** In a checkout that was not installed there is no `dure` to call. */
function calledAs(): string {
  const called = process.argv[1] ?? 'dure';
  return basename(called) === 'run.js' ? `node ${called}` : 'dure';
}

async function makeProject(root: string): Promise<void> {
  for (const [path, text] of Object.entries(demoProject)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
  const { runGit, signedByDure } = await import('../workspace/git.ts');
  const env = signedByDure(new Date().toISOString());
  for (const args of [
    ['init', '--quiet', '--initial-branch=main'],
    ['add', '--all'],
    ['commit', '--quiet', '--message=A small blog'],
  ]) {
    const { code, stderr } = await runGit(args, { cwd: root, env });
    if (code !== 0) throw dureError('E_GIT', { command: args[0]!, stderr });
  }
}
