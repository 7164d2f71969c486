import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { Args, Flags } from '@oclif/core';
import { plain } from '../agents/streams/plain.ts';
import { BaseCommand } from '../base-command.ts';
import { dureError } from '../errors.ts';
import { load, readText } from '../formats/file.ts';
import type { RunFiles } from '../formats/layout.ts';
import { evidenceFile, PACK_LIMIT } from '../formats/mrp.ts';
import { openText } from '../formats/read-text.ts';
import { markdown } from '../terminal/markdown.ts';
import { diffView, evidenceView } from '../terminal/pack-view.ts';
import { page } from '../terminal/pager.ts';
import { paint } from '../terminal/paint.ts';
import { SIDE_BY_SIDE, sideBySide } from '../terminal/side-by-side.ts';
import { columns, room } from '../terminal/text.ts';
import { approveCommand, decideCommands } from '../terminal/waits.ts';
import { words } from '../words/cli/words.ts';

/** Bytes of changes that fit a screen, or one value of JSON. A pipe takes any number. */
const SHOWN = 50_000_000;

export default class Review extends BaseCommand<typeof Review> {
  static override summary = 'Look at the merge-readiness pack of a run.';
  static override description =
    'The summary and what is proven; with --diff or --evidence that part alone, in full. On a terminal long parts go through $PAGER.';
  static override args = {
    run: Args.string({ ignoreStdin: true, description: 'Run id. Default: the newest run.' }),
  };
  static override flags = {
    diff: Flags.boolean({
      default: false,
      description: 'Only the changes, as a unified diff.',
      exclusive: ['evidence'],
    }),
    'side-by-side': Flags.boolean({
      default: false,
      char: 's',
      description: `Only the changes, before and after beside each other; needs ${SIDE_BY_SIDE} columns.`,
      exclusive: ['evidence'],
    }),
    evidence: Flags.boolean({ default: false, description: 'Only the evidence, at a glance.' }),
  };

  async run() {
    const { files, state } = await this.chosen(this.args.run);
    await this.complaints(files);
    const evidence = await load(evidenceFile, files.evidence, PACK_LIMIT);
    if (!evidence || !state.mrp) throw dureError('E_NOT_READY', { run: state.run_id, phase: state.phase });
    const summary = (await readText(files.summary, PACK_LIMIT)) ?? '';
    const parts = { evidence: evidenceView(evidence, columns()), summary: readable(plain(summary)) };
    if (!this.jsonEnabled()) {
      if (this.flags['side-by-side']) await this.besides(files);
      else if (this.flags.diff) await this.unified(files);
      else if (this.flags.evidence) this.log(parts.evidence);
      else {
        const decide =
          state.phase === 'ready_for_merge'
            ? `\n${words().pack.decide}\n${decideCommands(state)
                .map(c => `  ${paint('cyan', c)}`)
                .join('\n')}\n`
            : '';
        await page(
          `${paint('bold', words().pack.evidence)}\n${parts.evidence}\n\n${paint('bold', words().pack.summary)}\n\n${parts.summary.trimEnd()}\n${decide}`,
        );
      }
    }
    return {
      run_id: state.run_id,
      phase: state.phase,
      tree: evidence.tree,
      evidence,
      summary,
      ...(this.jsonEnabled() &&
        (this.flags.diff || this.flags['side-by-side']) && { patch: await this.patch(files) }),
      pack: files.mrp,
      command: state.phase === 'ready_for_merge' ? approveCommand(state) : null,
    };
  }

  /** On a narrow screen the unified diff says the same. */
  private async besides(files: RunFiles): Promise<void> {
    const width = room();
    if (width < SIDE_BY_SIDE) {
      this.logToStderr(words().pack.tooNarrow(SIDE_BY_SIDE));
      return this.unified(files);
    }
    const text = await this.patch(files);
    if (text !== null) await page(sideBySide(plain(text), width));
  }

  /** In a pipe the patch is what it is, so that it can be applied; on a screen it is harmless and in colour. */
  private async unified(files: RunFiles): Promise<void> {
    if (!process.stdout.isTTY) return passOn(files.patch);
    const text = await this.patch(files);
    if (text !== null) await page(diffView(plain(text)));
  }

  /** Null when there is more than can be shown, which is said. */
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

/** In a pipe the summary is what it is. */
const readable = (summary: string): string => (process.stdout.isTTY ? markdown(summary, columns()) : summary);

async function passOn(file: string): Promise<void> {
  const opened = await openText(file, Number.POSITIVE_INFINITY);
  if (opened === null) return;
  await pipeline(opened.createReadStream(), process.stdout, { end: false }).catch((error: unknown) => {
    // Who has seen enough closes the pipe.
    if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error;
  });
}
