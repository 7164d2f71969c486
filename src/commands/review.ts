import { pipeline } from 'node:stream/promises';
import { Flags } from '@oclif/core';
import { countNotExamined, lineDefence } from '../core/policy/criteria/lines-defended-by-tests.ts';
import { earlierPack } from '../core/run/pack/earlier-packs.ts';
import { PACK_LIMIT } from '../formats/evidence.ts';
import type { DefendedLines, Exam } from '../formats/exam/exam-units-and-faults.ts';
import { statsOfTarget } from '../formats/file-system/path-status.ts';
import type { RunFiles } from '../formats/layout.ts';
import { readText } from '../formats/read-and-write-files.ts';
import { openText } from '../formats/read-untrusted-files.ts';
import { BaseCommand } from '../terminal/base-command.ts';
import { page } from '../terminal/pager.ts';
import { readShownPack } from '../terminal/runs/read-and-verify-shown-pack.ts';
import { RUN_ARGUMENT } from '../terminal/runs/run-argument.ts';
import { approveCommand } from '../terminal/suggested-commands.ts';
import { columns } from '../terminal/text-layout.ts';
import { diffView } from '../terminal/views/diff-view.ts';
import { evidenceView } from '../terminal/views/evidence-view.ts';
import { undefendedList } from '../terminal/views/exam-lines.ts';
import { reviewScreen, wholePack } from '../terminal/views/pack-views.ts';
import { warningLines } from '../terminal/views/pack-warnings-view.ts';
import { words } from '../words/cli/load-language.ts';

/** Maximum patch size in bytes for a terminal or a JSON value. A pipe has no limit. */
const SHOWN = 50_000_000;

export default class Review extends BaseCommand<typeof Review> {
  static override summary = "Show a run's merge-readiness pack.";
  static override description =
    'Shows on one screen what is proven, which lines to read, and how to decide. --full shows the evidence and the whole summary; --diff, --undefended and --evidence each show only the part that they name. In a terminal, --diff marks each examined line as defended (D), weakly defended (W) or undefended (U) by the tests, and long output goes through the pager that git uses.';
  // The usage that oclif generates repeats mutually exclusive flags.
  static override usage =
    '<%= command.id %> [RUN] [--diff [--color] | --evidence | --full | --undefended] [--pack <value>] [--json] [--project DIR]';
  static override args = RUN_ARGUMENT;
  static override flags = {
    diff: Flags.boolean({
      default: false,
      description: 'Show only the changes, as a unified diff.',
      exclusive: ['evidence', 'full'],
    }),
    full: Flags.boolean({
      default: false,
      description: 'Show everything in the pack except the changes.',
      exclusive: ['evidence'],
    }),
    undefended: Flags.boolean({
      default: false,
      description: 'Show only the changed lines that no test defends, as path:line.',
      exclusive: ['diff', 'evidence', 'full'],
    }),
    color: Flags.boolean({
      default: false,
      description: 'With --diff, use the terminal view even when output is piped.',
      dependsOn: ['diff'],
    }),
    evidence: Flags.boolean({ default: false, description: 'Show only a summary of the evidence.' }),
    pack: Flags.integer({
      min: 1,
      description:
        'Show an earlier pack (one for which changes were requested), and the command that keeps its result on a branch. Numbering starts at 1.',
    }),
  };

  async run() {
    const run = await this.selectRun(this.args.run);
    const { pack } = this.flags;
    const { files, state } = pack === undefined ? run : await earlierPack(run.files, pack);
    await this.reportDriverPluginProblems(files);
    const shown = await readShownPack(files, state, pack);
    const { evidence, criteria } = shown;
    const lines = criteria.change ? lineDefence(criteria.change) : null;
    const summary = (await readText(files.summary, PACK_LIMIT)) ?? '';
    if (!this.jsonEnabled()) {
      if (this.flags.diff) await this.unified(files, lines);
      else if (this.flags.undefended) this.undefended(criteria.change);
      else if (this.flags.evidence)
        this.log([...warningLines(evidence, columns()), evidenceView(evidence, columns())].join('\n'));
      else if (this.flags.full) await page(`${wholePack(shown, summary)}\n`);
      else await page(`${reviewScreen(shown, pack)}\n`);
    }
    return {
      run_id: state.run_id,
      phase: state.phase,
      tree: evidence.tree,
      commit: state.mrp?.commit ?? null,
      evidence,
      criteria,
      lines,
      summary,
      ...(this.jsonEnabled() && this.flags.diff && { patch: await this.patch(files) }),
      pack: files.mrp,
      command: state.phase === 'ready_for_merge' ? approveCommand(state) : null,
    };
  }

  /** Prints the undefended lines to standard output, and what was not examined to standard error. */
  private undefended(change: Exam | null): void {
    const w = words().criteria;
    for (const line of change ? undefendedList(change) : []) this.log(line);
    if (change === null) this.logToStderr(w.unexaminedLines);
    else if (!change.complete) this.logToStderr(`${w.exam}: ${w.incomplete(countNotExamined(change))}`);
  }

  /** In a pipe, the patch is unchanged so that it can be applied; in a terminal, it is escaped, coloured and marked. */
  private async unified(files: RunFiles, lines: readonly DefendedLines[] | null): Promise<void> {
    if (this.flags.color) process.env['FORCE_COLOR'] = '1';
    else if (!process.stdout.isTTY) return copyToStdout(files.patch);
    const text = await this.patch(files);
    if (text !== null) await page(diffView(text, lines));
  }

  /** Null if the patch is too large to show; prints a message in that case. */
  private async patch(files: RunFiles): Promise<string | null> {
    const size = (await statsOfTarget(files.patch))?.size ?? 0;
    if (size <= SHOWN) return readText(files.patch, SHOWN);
    this.logToStderr(words().pack.tooLarge(Math.round(size / 1e6), files.patch));
    return null;
  }
}

async function copyToStdout(file: string): Promise<void> {
  const opened = await openText(file, Number.POSITIVE_INFINITY);
  if (opened === null) return;
  await pipeline(opened.createReadStream(), process.stdout, { end: false }).catch((error: unknown) => {
    // The program at the other end of the pipe, such as `head`, has closed it early.
    if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error;
  });
}
