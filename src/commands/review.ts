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
import { columns } from '../terminal/text.ts';
import { approveCommand, decideCommands } from '../terminal/waits.ts';

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
    evidence: Flags.boolean({ default: false, description: 'Only the evidence, at a glance.' }),
  };

  async run() {
    const { files, state } = await this.chosen(this.args.run);
    const evidence = await load(evidenceFile, files.evidence);
    if (!evidence || !state.mrp) throw dureError('E_NOT_READY', { run: state.run_id, phase: state.phase });
    const summary = (await readText(files.summary)) ?? '';
    const parts = { evidence: evidenceView(evidence, columns()), summary: plain(summary) };
    if (!this.jsonEnabled()) {
      if (this.flags.diff) await page(await patch(files));
      else if (this.flags.evidence) this.log(parts.evidence);
      else {
        const decide =
          state.phase === 'ready_for_merge'
            ? `\nDecide:\n${decideCommands(state)
                .map(c => `  ${paint('cyan', c)}`)
                .join('\n')}\n`
            : '';
        await page(
          `${parts.summary.trimEnd()}\n\n${paint('bold', 'Evidence')}\n${parts.evidence}\n${decide}`,
        );
      }
    }
    return {
      run_id: state.run_id,
      phase: state.phase,
      tree: evidence.tree,
      evidence,
      summary,
      ...(this.flags.diff && { patch: await readText(files.patch, PATCH_LIMIT) }),
      pack: files.mrp,
      command: state.phase === 'ready_for_merge' ? approveCommand(state) : null,
    };
  }
}

/** In a pipe the patch is what it is, so that it can be applied; on a screen it is harmless and in colour. */
async function patch(files: RunFiles): Promise<string> {
  const text = (await readText(files.patch, PATCH_LIMIT)) ?? '';
  return process.stdout.isTTY ? diffView(plain(text)) : text;
}
