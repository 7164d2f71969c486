/**
 * `prove.mjs` of a pack: `dure prove` as one file that needs only node and git. It comes with the pack, so its
 * output alone is no reason to trust the pack; an installed `dure prove` does the same without this file.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { resultOf } from '../../core/policy/verdict/prove-pack-outcome.ts';
import { DureError, EXIT } from '../../errors.ts';
import { sha256 } from '../../formats/text/sha256.ts';
import { SignalReceived, untilSignal } from '../../terminal/signals.ts';
import { proveView } from '../../terminal/views/prove-view.ts';
import { enRecordedDecisions } from '../../words/cli/en-decision-proofs.ts';
import { enProve } from '../../words/cli/en-prove.ts';
import { findRepository } from '../../workspace/git/open-repository.ts';
import { findSource } from './find-pack.ts';
import { prove } from './prove.ts';

const USAGE = `Usage: node prove.mjs [PACK] [--json] [--sandbox auto|none] [--quick | --rounds N] [--keep] [--verbose]
PACK: a bundle, the folder of a pack, or a commit. Default: FETCH_HEAD.
`;

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
      keep: { type: 'boolean', default: false },
      quick: { type: 'boolean', default: false },
      verbose: { type: 'boolean', default: false },
      sandbox: { type: 'string', default: 'auto' },
      rounds: { type: 'string', default: '0' },
    },
  });
  if (values.help) {
    process.stdout.write(USAGE);
    return 0;
  }
  const prover = fileURLToPath(import.meta.url);
  const digest = sha256(readFileSync(prover));
  process.stderr.write(`This program came with the pack (sha256 ${digest}). \`dure prove\` does the same.\n`);
  const clone = await findRepository(process.cwd());
  const proved = await untilSignal(async signal =>
    prove({
      clone,
      ...(await findSource(clone, positionals[0] ?? 'FETCH_HEAD')),
      env: process.env,
      signal,
      only: [],
      trusted: null,
      prover,
      budget_s: 300,
      sandbox: values.sandbox === 'none' ? 'none' : 'auto',
      rounds: Number(values.rounds) || 0,
      quick: values.quick,
      keep: values.keep,
      ...(values.verbose && { echo: chunk => void process.stderr.write(chunk) }),
    }),
  );
  const result = resultOf([...proved.criteria, ...proved.checks], []);
  const exit = { confirmed: 0, refuted: EXIT.failed, open: EXIT.waiting }[result];
  const text = values.json
    ? JSON.stringify({ exit, ...proved }, null, 2)
    : proveView(proved, { prove: enProve, decisions: enRecordedDecisions });
  process.stdout.write(`${text}\n`);
  return exit;
}

process.exitCode = await main().catch((error: unknown) => {
  if (error instanceof SignalReceived) return EXIT.interrupted;
  if (!(error instanceof DureError)) {
    process.stderr.write(
      `${error instanceof TypeError ? `${error.message}\n${USAGE}` : (error as Error).stack}\n`,
    );
    return error instanceof TypeError ? EXIT.usage : EXIT.refused;
  }
  process.stderr.write(`${error.message}\n${error.suggestions.map(each => `- ${each}\n`).join('')}`);
  return error.exit === EXIT.failed ? EXIT.refused : error.exit;
});
