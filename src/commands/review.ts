import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { Args, Flags } from '@oclif/core';
import { expectPackUnchanged } from '../core/run/pack-hashes.ts';
import { dureError } from '../errors.ts';
import { criteriaReportFile } from '../formats/criteria-report.ts';
import { load, readText } from '../formats/file.ts';
import type { RunFiles } from '../formats/layout.ts';
import { evidenceFile, PACK_LIMIT } from '../formats/mrp.ts';
import { plainText } from '../formats/plain-text.ts';
import { openText } from '../formats/read-text.ts';
import { BaseCommand } from '../terminal/base-command.ts';
import { judgedCriteria } from '../terminal/criteria-lines.ts';
import { approveCommand, decideCommands } from '../terminal/next-action.ts';
import { diffView, evidenceView, summaryView } from '../terminal/pack-view.ts';
import { page } from '../terminal/pager.ts';
import { paint } from '../terminal/paint.ts';
import { columns } from '../terminal/text.ts';
import { words } from '../words/cli/language.ts';

/** Maximum patch size in bytes for a terminal or a JSON value. A pipe has no limit. */
const SHOWN = 50_000_000;

export default class Review extends BaseCommand<typeof Review> {
  static override summary = 'Show the merge-readiness pack of a run.';
  static override description =
    'Shows the summary and the evidence; with --diff or --evidence, only that part, in full. In a terminal, long output goes through $PAGER.';
  static override args = {
    run: Args.string({ ignoreStdin: true, description: 'Run id. Default: the newest run.' }),
  };
  static override flags = {
    diff: Flags.boolean({
      default: false,
      description: 'Show only the changes, as a unified diff.',
      exclusive: ['evidence'],
    }),
    evidence: Flags.boolean({ default: false, description: 'Show only the evidence, in short.' }),
  };

  async run() {
    const { files, state } = await this.chosen(this.args.run);
    await this.complaints(files);
    if (state.mrp) await expectPackUnchanged(files, state);
    const evidence = await load(evidenceFile, files.evidence, PACK_LIMIT);
    if (!evidence || !state.mrp) throw dureError('E_NOT_READY', { run: state.run_id, phase: state.phase });
    const criteria = await load(criteriaReportFile, files.criteria, PACK_LIMIT);
    const summary = (await readText(files.summary, PACK_LIMIT)) ?? '';
    const parts = {
      evidence: evidenceView(evidence, columns()),
      summary: process.stdout.isTTY ? summaryView(summary) : plainText(summary),
    };
    if (!this.jsonEnabled()) {
      if (this.flags.diff) await this.unified(files);
      else if (this.flags.evidence) this.log(parts.evidence);
      else {
        const decide =
          state.phase === 'ready_for_merge'
            ? `\n${words().pack.decide}\n${decideCommands(state)
                .map(c => `  ${paint('cyan', c)}`)
                .join('\n')}\n`
            : '';
        await page(
          `${criteria?.sha256 ? `${paint('bold', words().criteria.title)}\n${judgedCriteria(criteria.criteria).join('\n')}\n\n` : ''}${paint('bold', words().pack.evidence)}\n${parts.evidence}\n\n${paint('bold', words().pack.summary)}\n\n${parts.summary.trimEnd()}\n${decide}`,
        );
      }
    }
    return {
      run_id: state.run_id,
      phase: state.phase,
      tree: evidence.tree,
      evidence,
      criteria,
      summary,
      ...(this.jsonEnabled() && this.flags.diff && { patch: await this.patch(files) }),
      pack: files.mrp,
      command: state.phase === 'ready_for_merge' ? approveCommand(state) : null,
    };
  }

  /** In a pipe, the patch is unchanged so that it can be applied; in a terminal, it is escaped and coloured. */
  private async unified(files: RunFiles): Promise<void> {
    if (!process.stdout.isTTY) return copyToStdout(files.patch);
    const text = await this.patch(files);
    if (text !== null) await page(diffView(text));
  }

  /** Null if the patch is too large to show; prints a message in that case. */
  private async patch(files: RunFiles): Promise<string | null> {
    const size = await stat(files.patch).then(
      found => found.size,
      () => 0,
    );
    if (size <= SHOWN) return readText(files.patch, SHOWN);
    this.logToStderr(words().pack.tooLarge(Math.round(size / 1e6), files.patch));
    return null;
  }
}

async function copyToStdout(file: string): Promise<void> {
  const opened = await openText(file, Number.POSITIVE_INFINITY);
  if (opened === null) return;
  await pipeline(opened.createReadStream(), process.stdout, { end: false }).catch((error: unknown) => {
    // The reader closed the pipe early, as `head` does.
    if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error;
  });
}
