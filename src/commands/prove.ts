import { Args, Flags } from '@oclif/core';
import { ACCEPTABLE, type Acceptable } from '../core/policy/verdict/prove-pack-outcome.ts';
import { DureError, dureError, EXIT } from '../errors.ts';
import { PROVER, RUN_ID } from '../formats/layout.ts';
import type { ProveResult } from '../formats/output/prove.ts';
import { distFile } from '../process/package-paths-and-version.ts';
import { MOST_ROUNDS } from '../proof/exam/test-round-count.ts';
import type { ProveOf } from '../proof/prove-pack/prove.ts';
import { throwUnlessProofConfirmed } from '../proof/prove-pack/throw-unless-proof-confirmed.ts';
import { BaseCommand } from '../terminal/base-command.ts';
import { spanOf } from '../terminal/parse-flag-values.ts';
import { SignalReceived, untilSignal } from '../terminal/signals.ts';
import { words } from '../words/cli/load-language.ts';

export default class Prove extends BaseCommand<typeof Prove> {
  static override summary = 'Repeat the proof of a merge-readiness pack, even one from another clone.';
  static override description =
    'Opens the pack in a separate repository, compares it with its commits, and runs its tests on the result and on base, in a sandbox without network. The results in the pack are treated as claims: each acceptance criterion is reported as CONFIRMED, REFUTED, COULD NOT RUN or NOT CLAIMED, based on what the tests do here. Exit status: 0 all confirmed, 1 something is refuted, 3 a person has to decide, 4 refused (damaged or changed pack, unknown base, no sandbox), 5 interrupted.';
  static override args = {
    pack: Args.string({
      ignoreStdin: true,
      description:
        'Complete run id, file from `dure bundle`, pack folder, or commit, e.g. FETCH_HEAD. Default: the newest run.',
    }),
  };
  static override flags = {
    criterion: Flags.string({
      multiple: true,
      helpValue: 'ID',
      description: 'Prove only this acceptance criterion, e.g. AC-2. Can be repeated.',
    }),
    accept: Flags.string({
      helpValue: 'KINDS',
      description:
        'Comma-separated verdicts that should not affect the exit status. Possible values: not-claimed, could-not-run.',
    }),
    sandbox: Flags.string({
      options: ['auto', 'none'],
      default: 'auto',
      description:
        'Whether to run the tests in a sandbox. With none, the tests can read your files and use the network.',
    }),
    quick: Flags.boolean({
      default: false,
      exclusive: ['rounds', 'budget'],
      description:
        'Run the tests once on the result and once on the base commit. This can refute claims but not confirm them, so the exit status is 1 or 3.',
    }),
    rounds: Flags.integer({
      min: 0,
      max: MOST_ROUNDS,
      default: 0,
      description:
        'How many times to run the tests on the result and on base. 0: Dure decides, based on how long they take.',
    }),
    budget: Flags.string({
      default: '5m',
      helpValue: 'SPAN',
      description:
        'Time limit for all test runs together, such as 5m. When it is reached, optional test runs are left out.',
    }),
    trust: Flags.file({
      exists: true,
      helpValue: 'FILE',
      description: 'File of SSH keys that you trust, in the format of gpg.ssh.allowedSignersFile.',
    }),
    keep: Flags.boolean({
      default: false,
      description: "Keep the test log and the pack's repository, and print where they are.",
    }),
    verbose: Flags.boolean({ default: false, description: 'Print the output of the set-up and the tests.' }),
  };

  async run() {
    const accepted = this.accepted();
    const proved = await this.proved();
    this.partialResult = proved;
    if (!this.jsonEnabled()) {
      const { proveView } = await import('../terminal/views/prove-view.ts');
      this.log(proveView(proved, words()));
    }
    throwUnlessProofConfirmed(proved, accepted);
    return proved;
  }

  private accepted(): Acceptable[] {
    const named = (this.flags.accept ?? '').split(',').filter(Boolean) as Acceptable[];
    const unknown = named.find(each => !ACCEPTABLE.includes(each));
    if (unknown !== undefined) throw dureError('E_PROVE_ACCEPT', { kind: unknown });
    return named;
  }

  private async proved(): Promise<ProveResult> {
    const { prove } = await import('../proof/prove-pack/prove.ts');
    const { flags } = this;
    try {
      return await untilSignal(async signal =>
        prove({
          env: process.env,
          signal,
          ...(await this.source()),
          sandbox: flags.sandbox === 'none' ? 'none' : 'auto',
          rounds: flags.rounds,
          budget_s: spanOf(flags.budget) / 1000,
          only: flags.criterion ?? [],
          trusted: flags.trust ?? null,
          prover: distFile(PROVER),
          quick: flags.quick,
          keep: flags.keep,
          ...(flags.verbose && { echo: chunk => void process.stderr.write(chunk) }),
          onOpened: ({ evidence, criteria }) => {
            if (!this.jsonEnabled()) this.logToStderr(words().prove.opened(evidence.run_id, criteria.length));
          },
        }),
      );
    } catch (error) {
      if (error instanceof SignalReceived) throw dureError('E_PROVE_INTERRUPTED');
      // Status 1 is reserved for a pack that was refuted.
      if (error instanceof DureError && error.exit === EXIT.failed)
        throw dureError('E_PROVE_PACK', { why: error.message }, { cause: error });
      throw error;
    }
  }

  private async source(): Promise<Pick<ProveOf, 'clone' | 'source' | 'files'>> {
    const { pack } = this.args;
    const [{ findSource }, { findRepository }, { recordedOrOwnRepository }, { packCommitOf }] =
      await Promise.all([
        import('../proof/prove-pack/find-pack.ts'),
        import('../workspace/git/open-repository.ts'),
        import('../core/run/record/open-recorded-repository.ts'),
        import('../core/run/pack/pack-commit.ts'),
      ]);
    const isHere = pack === undefined || (RUN_ID.test(pack) && (await this.project().catch(() => null)));
    if (!isHere) {
      const clone = await findRepository(this.startFolder);
      return { clone, ...(await findSource(clone, pack)) };
    }
    const { project, files, state } = await this.selectRun(pack);
    const clone = await recordedOrOwnRepository(project, files);
    return { clone, source: { commit: await packCommitOf(clone, files, state) }, files: {} };
  }
}
