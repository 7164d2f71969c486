import type { VERIFIED } from '../core/run/record/verify-integrity.ts';
import { findNamedRun } from '../core/run/run-store.ts';
import { dureError } from '../errors.ts';
import { runIdOf } from '../formats/layout.ts';
import { BaseCommand } from '../terminal/base-command.ts';
import { doneLine, problemLine } from '../terminal/message-line.ts';
import { RUN_ARGUMENT } from '../terminal/runs/run-argument.ts';
import { oneLineText } from '../terminal/text-layout.ts';
import { words } from '../words/cli/load-language.ts';

export default class Verify extends BaseCommand<typeof Verify> {
  static override summary = "Check that a run's files are undamaged.";
  static override description =
    'Checks that the lines of events.log form an unbroken chain, compares state.json with the log, and checks the proofs and signatures of recorded decisions, the sealed trees in git, their bundles, and the hashes of the merge-readiness pack. Lists the decisions: who made them, how (for example, in a terminal or on a web page), and whether they are signed. Changes nothing. Exit status: 0 if nothing is damaged, 1 otherwise.';
  static override args = RUN_ARGUMENT;

  async run() {
    const project = await this.project();
    const files = await findNamedRun(project, this.args.run);
    const { verifyRun } = await import('../core/run/record/verify-integrity.ts');
    const { checks, decisions } = await verifyRun(project, files);
    const run_id = runIdOf(files);
    for (const { check, fault } of checks) {
      const name = words().verify[check];
      this.log(fault === null ? doneLine(name) : problemLine(`${name}: ${fault}`));
    }
    if (decisions.length > 0) this.log(`\n${words().decisions.recorded}`);
    for (const decision of decisions) this.log(`  ${oneLineText(words().decisions.verified(decision))}`);
    this.partialResult = { run_id, checks, decisions };
    const damaged = checks.filter(({ fault }) => fault !== null).map(({ check }) => check);
    const isDamaged = (check: (typeof VERIFIED)[number]) => damaged.includes(check);
    if (damaged.length > 0)
      throw dureError('E_VERIFY', {
        run: run_id,
        damaged: damaged.join(', '),
        log: isDamaged('log'),
        state: isDamaged('state'),
        decisions: isDamaged('decisions'),
        seals: isDamaged('seals'),
        bundles: isDamaged('bundles'),
        pack: isDamaged('pack'),
      });
    return { run_id, checks, decisions };
  }
}
