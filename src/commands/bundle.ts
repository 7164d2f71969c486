import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Flags } from '@oclif/core';
import { BaseCommand } from '../terminal/base-command.ts';
import { doneLine } from '../terminal/message-line.ts';
import { RUN_ARGUMENT } from '../terminal/runs/run-argument.ts';
import { words } from '../words/cli/load-language.ts';

export default class Bundle extends BaseCommand<typeof Bundle> {
  static override summary =
    "Write a run's merge-readiness pack to a file, for `dure prove` in another clone.";
  static override description =
    "Writes a git bundle with the sealed result, the tests and the pack. It contains only what the base commit lacks; with --full, the whole history. If git is configured to sign with an SSH key (gpg.format, user.signingKey), the pack's commit is signed with it.";
  static override args = RUN_ARGUMENT;
  static override flags = {
    output: Flags.string({
      char: 'o',
      helpValue: 'FILE',
      description: 'File to write. Default: RUN.bundle in the current folder.',
    }),
    full: Flags.boolean({ default: false, description: 'Include the history of the base commit.' }),
    sign: Flags.boolean({
      default: true,
      allowNo: true,
      description: "Sign the pack's commit if git is configured to sign with an SSH key.",
    }),
    push: Flags.string({
      helpValue: 'REMOTE',
      description: 'Also push the pack to refs/dure/packs/RUN on this remote.',
    }),
  };

  async run() {
    const { project, files, state } = await this.selectRun(this.args.run);
    const [{ recordedOrOwnRepository }, { packCommitOf }, packs, { signingKey }] = await Promise.all([
      import('../core/run/record/open-recorded-repository.ts'),
      import('../core/run/pack/pack-commit.ts'),
      import('../workspace/pack/sign-and-publish-pack.ts'),
      import('../workspace/git/ssh-signature.ts'),
    ]);
    const { run_id, base } = state;
    const { full, sign, push = null } = this.flags;
    const repo = await recordedOrOwnRepository(project, files);
    const unsigned = await packCommitOf(repo, files, state);
    const signed = sign && (await signingKey(repo.workTree)) !== null;
    const commit = signed ? await packs.signPack(repo, run_id, unsigned) : unsigned;
    const file = resolve(this.flags.output ?? `${run_id}.bundle`);
    const needs = await packs.bundlePack(repo, { runId: run_id, commit, base, full }, file);
    if (push !== null) await packs.pushPack(repo, run_id, push);
    const { size: bytes } = await stat(file);
    this.log(doneLine(words().bundle.written(file, Math.ceil(bytes / 1000), signed)));
    if (needs.length > 0) this.log(words().bundle.needs(needs.map(id => id.slice(0, 10)).join(', ')));
    if (push !== null) this.log(doneLine(words().bundle.pushed(push)));
    return { run_id, file, bytes, commit, signed, needs, pushed: push };
  }
}
