import { Args, Flags } from '@oclif/core';
import { plain } from '../agents/streams/plain.ts';
import { BaseCommand } from '../base-command.ts';
import { dureError } from '../errors.ts';
import { load, readText } from '../formats/file.ts';
import type { RunFiles } from '../formats/layout.ts';
import { evidenceFile } from '../formats/mrp.ts';
import { diffView, evidenceView } from '../terminal/pack-view.ts';
import { page } from '../terminal/pager.ts';
import { paint } from '../terminal/paint.ts';
import { SIDE_BY_SIDE, sideBySide } from '../terminal/side-by-side.ts';
import { columns, room } from '../terminal/text.ts';
import { approveCommand, decideCommands } from '../terminal/waits.ts';
import { words } from '../words/cli/words.ts';

const PATCH_LIMIT = 200_000_000;

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
    const evidence = await load(evidenceFile, files.evidence);
    if (!evidence || !state.mrp) throw dureError('E_NOT_READY', { run: state.run_id, phase: state.phase });
    const summary = (await readText(files.summary)) ?? '';
    const parts = { evidence: evidenceView(evidence, columns()), summary: plain(summary) };
    if (!this.jsonEnabled()) {
      if (this.flags['side-by-side']) await page(await this.besides(files));
      else if (this.flags.diff) await page(await patch(files));
      else if (this.flags.evidence) this.log(parts.evidence);
      else {
        const decide =
          state.phase === 'ready_for_merge'
            ? `\n${words().pack.decide}\n${decideCommands(state)
                .map(c => `  ${paint('cyan', c)}`)
                .join('\n')}\n`
            : '';
        await page(
          `${paint('bold', words().pack.evidence)}\n${parts.evidence}\n\n${parts.summary.trimEnd()}\n${decide}`,
        );
      }
    }
    return {
      run_id: state.run_id,
      phase: state.phase,
      tree: evidence.tree,
      evidence,
      summary,
      ...((this.flags.diff || this.flags['side-by-side']) && {
        patch: await readText(files.patch, PATCH_LIMIT),
      }),
      pack: files.mrp,
      command: state.phase === 'ready_for_merge' ? approveCommand(state) : null,
    };
  }

  /** On a narrow screen the unified diff says the same. */
  private async besides(files: RunFiles): Promise<string> {
    const width = room();
    if (width >= SIDE_BY_SIDE) return sideBySide(plain(await patchOf(files)), width);
    this.logToStderr(words().pack.tooNarrow(SIDE_BY_SIDE));
    return patch(files);
  }
}

const patchOf = async (files: RunFiles): Promise<string> => (await readText(files.patch, PATCH_LIMIT)) ?? '';

/** In a pipe the patch is what it is, so that it can be applied; on a screen it is harmless and in colour. */
async function patch(files: RunFiles): Promise<string> {
  const text = await patchOf(files);
  return process.stdout.isTTY ? diffView(plain(text)) : text;
}
